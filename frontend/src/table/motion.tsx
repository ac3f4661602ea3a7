/** Shows what travels, above the table and out of everybody's way: nothing waits for it, nothing can be hit. */
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { View } from '../api/types';
import { AnimalToken } from '../art/Animal';
import { ElementToken } from '../art/Element';
import { calm } from '../play/session';
import { Card, CardBack, FACE } from './Card';
import { flightsBetween, type Flight, type Spot, type Thing } from './travel';

const WAY_MS = 600;
const APART_MS = 40;
const LATEST_MS = 160;
const SMALL = 34; // a card's height where it has no place of its own: at a player, on a pile

const SELECTORS: Record<string, (name: string) => string> = {
  deck: () => '.place.deck',
  discards: () => '.stream .link',
  supply: () => '.supply',
  stream: (place) => `.places > :nth-child(${Number(place) + 1})`,
  space: (space) => `.space-button[data-space="${space}"]`,
  seat: (seat) => `.player[data-seat="${seat}"] .known summary`,
  hand: (card) => `.in-hand [data-card="${card}"]`,
};

function selectorOf(spot: Spot): string {
  const [kind = '', ...name] = spot.split('-');
  return SELECTORS[kind]!(name.join('-'));
}

/** What stands for the thing where it arrives; it is not seen twice. */
const ARRIVED: Record<string, string> = { stream: '.card', hand: '.card' };

function Picture({ thing }: { thing: Thing }) {
  if ('card' in thing) return <Card card={thing.card} face="stamp" />;
  if ('element' in thing) return <ElementToken element={thing.element} label={false} />;
  return 'animal' in thing ? <AnimalToken animal={thing.animal} label={false} /> : <CardBack />;
}

function fly({ thing, from, to }: Flight, start: DOMRect | undefined, delay: number): void {
  const target = document.querySelector<HTMLElement>(selectorOf(to));
  const origin = start ?? document.querySelector(selectorOf(from))?.getBoundingClientRect();
  if (!target || !origin?.width) return;
  const box = document.createElement('div');
  const token = 'element' in thing || 'animal' in thing;
  box.className = token ? 'flight token-flight' : 'flight';
  box.setAttribute('aria-hidden', 'true');
  render(<Picture thing={thing} />, box);
  document.body.append(box);
  const frame = (spot: Spot, { left, top, width, height }: DOMRect) => {
    const size = token ? 1 : (/^(seat|discards)/.test(spot) ? SMALL : height) / FACE.stamp.height;
    return { transform: `translate(${left + width / 2}px, ${top + height / 2}px) translate(-50%, -50%) scale(${size})` };
  };
  const timing = { duration: WAY_MS, delay, easing: 'cubic-bezier(0.3, 0.6, 0.3, 1)', fill: 'both' } as const;
  const way = box.animate([frame(from, origin), frame(to, target.getBoundingClientRect())], timing);
  way.onfinish = way.oncancel = () => {
    render(null, box);
    box.remove();
  };
  const kind = to.split('-')[0]!;
  const arrived = kind === 'space' ? document.querySelectorAll(`[data-stack="${to.slice(6)}"] .placed`) : target.querySelectorAll(ARRIVED[kind] ?? ':not(*)');
  if (!token) for (const one of arrived) one.animate([{ opacity: 0 }, { opacity: 0 }], WAY_MS + delay);
}

/** `hand`: the seat whose cards lie open in the hand. */
export function useTravel(view: View, hand: number): void {
  const before = useRef({ view, hand });
  useEffect(() => () => {
    for (const box of document.querySelectorAll('.flight')) for (const way of box.getAnimations()) way.cancel();
  }, []);
  // While this is drawn the page still shows the old state: where the hand's cards lay can only be seen now.
  const lay = new Map<Spot, DOMRect>();
  if (before.current.view !== view && !calm()) {
    for (const card of document.querySelectorAll<HTMLElement>('.in-hand [data-card]')) {
      lay.set(`hand-${card.dataset['card']}` as Spot, card.getBoundingClientRect());
    }
  }
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { view, hand };
    if (was.view === view || was.hand !== hand || calm() || document.hidden) return;
    for (const [at, flight] of flightsBetween(was.view, view, hand).entries()) {
      fly(flight, lay.get(flight.from), Math.min(at * APART_MS, LATEST_MS));
    }
  }, [view, hand]);
}
