/** What has travelled from one state of the table to the next: cards, backs of cards, tokens. */
import type { Animal, CardName, Element, View } from '../api/types';

export type Thing = { card: CardName } | { back: true } | { element: Element } | { animal: Animal };
export type Spot =
  | 'deck' | 'discards' | 'supply' | `stream-${number}` | `space-${number}` | `seat-${number}` | `hand-${CardName}`;
export interface Flight { thing: Thing; from: Spot; to: Spot }

const MOST = 14; // more has changed than one action changes: a jump, not a journey

function spotsOfCards(view: View, hand: number): Map<CardName, Spot> {
  const spots = new Map<CardName, Spot>();
  for (const [place, card] of view.table.stream.entries()) if (card) spots.set(card, `stream-${place}`);
  for (const space of view.table.spaces) for (const card of space.cards) spots.set(card, `space-${space.space}`);
  for (const card of view.table.discards) spots.set(card, 'discards');
  for (const player of view.players) {
    for (const card of player.hand ?? player.known) spots.set(card, player.seat === hand ? `hand-${card}` : `seat-${player.seat}`);
  }
  return spots;
}

function cards(before: View, after: View, hand: number): Flight[] {
  const [was, is] = [spotsOfCards(before, hand), spotsOfCards(after, hand)];
  const tops = new Set(after.table.spaces.map((space) => space.cards.at(-1)));
  const actor: Spot = `seat-${before.seat_to_act ?? 0}`;
  const flights: Flight[] = [];
  for (const [card, to] of is) {
    const played = to === 'discards' || to.startsWith('space');
    const from = was.get(card) ?? (played ? actor : 'deck');
    if (from !== to && (!to.startsWith('space') || tops.has(card))) flights.push({ thing: { card }, from, to });
  }
  const unseen = (view: View, seat: number) => {
    const player = view.players[seat]!;
    return player.cards - (player.hand ?? player.known).length;
  };
  for (const { seat } of after.players) {
    for (let more = unseen(after, seat) - unseen(before, seat); more > 0; more -= 1) {
      flights.push({ thing: { back: true }, from: 'deck', to: `seat-${seat}` });
    }
  }
  return flights;
}

/** Tokens of an element look alike: those that a place has lost are paired with those that another has gained. */
function elements(before: View, after: View): Flight[] {
  const count = (view: View, element: Element): Map<Spot, number> => {
    const counts = new Map<Spot, number>([['supply', view.table.supply[element]]]);
    for (const space of view.table.spaces) counts.set(`space-${space.space}`, Number(space.token === element));
    for (const player of view.players) counts.set(`seat-${player.seat}`, player.tokens[element]);
    return counts;
  };
  return (Object.keys(after.table.supply) as Element[]).flatMap((element) => {
    const [was, is] = [count(before, element), count(after, element)];
    const changed = (sign: number) => [...is].flatMap(([spot, now]) => Array<Spot>(Math.max(0, sign * (now - was.get(spot)!))).fill(spot));
    const lost = changed(-1);
    return changed(1).flatMap((to, at) => (lost[at] ? [{ thing: { element }, from: lost[at], to }] : []));
  });
}

function animals(before: View, after: View): Flight[] {
  return (Object.entries(after.table.animal_tokens) as [Animal, number | null][]).flatMap(([animal, owner]) => {
    const giver = before.table.animal_tokens[animal];
    if (owner === null || owner === giver) return [];
    const space = after.table.spaces.find(({ cards }) => cards.at(-1)?.endsWith(`-${animal}`));
    const from: Spot | null = giver !== null ? `seat-${giver}` : space ? `space-${space.space}` : null;
    return from ? [{ thing: { animal }, from, to: `seat-${owner}` as Spot }] : [];
  });
}

/** `hand` is the seat whose cards lie open in the hand. */
export function flightsBetween(before: View, after: View, hand: number): Flight[] {
  const flights = [...cards(before, after, hand), ...elements(before, after), ...animals(before, after)];
  return flights.length > MOST ? [] : flights;
}
