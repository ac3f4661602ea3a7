import { computed, signal } from '@preact/signals';
import { keepToken } from './play/seats';

export type Page = 'home' | 'new' | 'game' | 'rules' | 'almanac' | 'about';
export interface Route { page: Page; id: string; query: URLSearchParams }

const PAGES: readonly string[] = ['new', 'rules', 'almanac', 'about'];

export function parse(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', id = ''] = path.split('/');
  const query = new URLSearchParams(search);
  if (page === 'game' && id) return { page, id: decodeURIComponent(id), query };
  return { page: (PAGES.includes(page) ? page : 'home') as Page, id: '', query };
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

export const route = signal<Route>(arrive());
export const page = computed(() => route.value.page);

addEventListener('hashchange', () => {
  route.value = arrive();
  scrollTo(0, 0);
});

export const go = (to: Page, id = ''): void => {
  location.hash = linkTo(to, id);
};
