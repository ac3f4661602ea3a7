/** Addresses to hand on. */
import { signal } from '@preact/signals';
import { siteUrl } from '../api/client';
import { tokenOf } from '../play/seats';
import { linkTo } from '../route';

/** The game whose link is being shared, if any. */
export const sharing = signal<string | null>(null);

/** Where other people reach this page: what the server says it is called, else the address it was opened at. */
const site = (): string => siteUrl.value ?? new URL('.', location.href).href;

export const inviteLink = (id: string): string => new URL(linkTo('game', id), site()).href;

/** Whoever has this link has the seat: its token stands after the #, which browsers send to no server. */
export const seatLink = (id: string, seat: number): string =>
  `${inviteLink(id)}?${new URLSearchParams({ seat: String(seat), token: tokenOf(id, seat) ?? '' })}`;

/** An address that means this very device to everybody who opens it. */
export const isLocal = (link: string): boolean => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(link).hostname);
