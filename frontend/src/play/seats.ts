/** The seats this device holds: their tokens stay in localStorage and are sent nowhere but to the server. */
import { signal } from '@preact/signals';
import type { Game } from '../api/types';

export interface Held { tokens: Record<string, string>; opened: string }
type Shelf = Record<string, Held>;

const KEY = 'stem-branch.games';

function read(): Shelf {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Shelf;
  } catch {
    return {};
  }
}

export const shelf = signal<Shelf>(read());

addEventListener('storage', (event) => {
  if (event.key === KEY) shelf.value = read();
});

function write(change: (all: Shelf) => void): void {
  const all = read();
  change(all);
  localStorage.setItem(KEY, JSON.stringify(all));
  shelf.value = all;
}

export const keepTokens = (id: string, tokens: Record<string, string>): void =>
  write((all) => {
    all[id] = { tokens: { ...all[id]?.tokens, ...tokens }, opened: new Date().toISOString() };
  });

export const keepToken = (id: string, seat: number, token: string): void => keepTokens(id, { [seat]: token });

export const dropToken = (id: string, seat: number): void =>
  write((all) => {
    delete all[id]?.tokens[seat];
  });

export const forget = (id: string): void =>
  write((all) => {
    delete all[id];
  });

export const tokenOf = (id: string, seat: number | null): string | null =>
  seat === null ? null : (shelf.value[id]?.tokens[seat] ?? null);

export const mySeats = (id: string): number[] => Object.keys(shelf.value[id]?.tokens ?? {}).map(Number).sort();

/** Did people play at it who are not at this device? */
export const othersAt = (game: Game): boolean =>
  game.seats.some(({ seat, player }) => player === 'human' && !mySeats(game.id).includes(seat));

/** What this device's person is called. */
const NAME_KEY = 'stem-branch.name';

export const myName = (): string => localStorage.getItem(NAME_KEY) ?? '';
export const keepName = (name: string): void => localStorage.setItem(NAME_KEY, name);
