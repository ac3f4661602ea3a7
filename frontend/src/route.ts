import { computed, signal } from '@preact/signals';
import type { Eyes } from './api/calls';
import { keepToken } from './play/seats';

export type Page = 'home' | 'nowhere' | 'new' | 'game' | 'learn' | 'rules' | 'daily' | 'almanac' | 'ladders' | 'about';
export interface Route { page: Page; id: string; query: URLSearchParams }

const PAGES: readonly string[] = ['home', 'new', 'learn', 'rules', 'daily', 'almanac', 'ladders', 'about'];

export function parse(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page, id = ''] = (path || 'home').split('/');
  const query = new URLSearchParams(search);
  if ((page === 'game' || page === 'ladders') && /^[\w-]+$/.test(id)) return { page, id, query };
  const known = PAGES.includes(page!) && !(page === 'ladders' && id);
  return { page: (known ? page : 'nowhere') as Page, id: page === 'rules' ? id : '', query };
}

/** A link may hand over a seat's token. It goes to this device's store and out of the address at once. */
function arrive(): Route {
  const route = parse(location.hash);
  const token = route.query.get('token');
  const seat = Number(route.query.get('seat'));
  if (route.page === 'game' && token) {
    if (Number.isInteger(seat)) keepToken(route.id, seat, token);
    history.replaceState(null, '', linkTo('game', route.id));
    return parse(location.hash);
  }
  return route;
}

export const linkTo = (page: Page, id = ''): string => (page === 'home' ? '#/' : `#/${page}${id ? `/${id}` : ''}`);

const EYES: readonly string[] = ['0', '1', '2', '3', 'spectator', 'all'] satisfies Eyes[];

/** The position that a game's link asks for. */
export function wantedOf(query: URLSearchParams): { at: number; eyes: Eyes | null } | null {
  const at = query.get('at');
  const eyes = query.get('eyes');
  if (at === null || !/^\d{1,4}$/.test(at)) return null;
  return { at: Number(at), eyes: eyes !== null && EYES.includes(eyes) ? (eyes as Eyes) : null };
}

/** Does the link lead to a game that has been analysed? */
export const isAnalysed = (query: URLSearchParams): boolean => query.has('analysis');

/** A link to a position, or (null) to the game as it is now. */
export function linkToPosition(id: string, position: { index: number; eyes: Eyes | null } | null, analysed: boolean): string {
  const asked = [
    ...(position ? [`at=${position.index}`] : []),
    ...(position && position.eyes !== null ? [`eyes=${position.eyes}`] : []),
    ...(analysed ? ['analysis'] : []),
  ].join('&');
  return linkTo('game', id) + (asked && `?${asked}`);
}

/** The address of an open game follows what is looked at; it makes no entry in the browser's history. */
export function keepAddress(id: string, link: string): void {
  const here = parse(location.hash);
  if (here.page === 'game' && here.id === id && location.hash !== link) history.replaceState(null, '', link);
}

export const route = signal<Route>(arrive());
export const page = computed(() => route.value.page);

addEventListener('hashchange', () => {
  route.value = arrive();
  scrollTo(0, 0);
});

export const go = (to: Page, id = ''): void => {
  location.hash = linkTo(to, id);
};
