import { describe, expect, it } from 'vitest';
import type { CardName, Element, View } from '../src/api/types';
import { flightsBetween } from '../src/table/travel';

const none = { wood: 0, fire: 0, earth: 0, metal: 0, water: 0 };

interface Scene {
  stream?: (CardName | null)[];
  discards?: CardName[];
  board?: Record<number, CardName[]>;
  token?: Record<number, Element>;
  supply?: Partial<Record<Element, number>>;
  hand?: CardName[];
  rival?: { cards: number; known?: CardName[]; tokens?: Partial<Record<Element, number>> };
  horse?: number | null;
  turn?: number;
}

/** A table of two: seat 0 sees its own hand, seat 1 is the rival. */
function table(scene: Scene): View {
  return {
    seat_to_act: scene.turn ?? 0,
    table: {
      stream: scene.stream ?? [],
      discards: scene.discards ?? [],
      spaces: [0, 1, 2].map((space) => ({ space, cards: scene.board?.[space] ?? [], token: scene.token?.[space] ?? null, ascended: false })),
      supply: { ...none, ...scene.supply },
      animal_tokens: { horse: scene.horse ?? null },
    },
    players: [
      { seat: 0, cards: scene.hand?.length ?? 0, hand: scene.hand ?? [], known: [], tokens: none },
      { seat: 1, cards: scene.rival?.cards ?? 4, hand: null, known: scene.rival?.known ?? [], tokens: { ...none, ...scene.rival?.tokens } },
    ],
  } as unknown as View;
}

const flights = (before: Scene, after: Scene) =>
  flightsBetween(table(before), table(after), 0).map(({ thing, from, to }) => `${Object.values(thing)[0]}: ${from} > ${to}`);

describe('what travels', () => {
  it('a card of the Stream to the hand, and its place is filled from the deck', () => {
    expect(flights({ stream: ['fire-pig'] }, { stream: ['wood-dog'], hand: ['fire-pig'] })).toEqual([
      'wood-dog: deck > stream-0', 'fire-pig: stream-0 > hand-fire-pig',
    ]);
  });

  it('a card drawn unseen, mine with its face and the rival’s with its back', () => {
    expect(flights({}, { hand: ['fire-pig'] })).toEqual(['fire-pig: deck > hand-fire-pig']);
    expect(flights({ turn: 1, rival: { cards: 4 } }, { rival: { cards: 5 } })).toEqual(['true: deck > seat-1']);
  });

  it('a card of the Stream to a rival', () => {
    expect(flights({ stream: ['fire-pig'] }, { stream: [null], rival: { cards: 5, known: ['fire-pig'] } })).toEqual(['fire-pig: stream-0 > seat-1']);
  });

  it('a summon: the card, its payment, the tokens', () => {
    const before: Scene = { hand: ['earth-horse', 'earth-snake'], board: { 1: ['water-horse'] }, token: { 1: 'fire' }, rival: { cards: 4, tokens: { water: 1 } }, horse: 1 };
    const after: Scene = { board: { 1: ['water-horse', 'earth-horse'] }, discards: ['earth-snake'], rival: { cards: 4, tokens: { fire: 1 } }, supply: { water: 1 }, horse: 0 };
    expect(flights(before, after)).toEqual([
      'earth-horse: hand-earth-horse > space-1', 'earth-snake: hand-earth-snake > discards',
      'fire: space-1 > seat-1', 'water: seat-1 > supply', 'horse: seat-1 > seat-0',
    ]);
  });

  it('a rival’s unseen card from the rival to the board; a new animal’s token from there to its owner', () => {
    expect(flights({ turn: 1 }, { board: { 2: ['earth-horse'] }, rival: { cards: 3 }, horse: 1 })).toEqual([
      'earth-horse: seat-1 > space-2', 'horse: space-2 > seat-1',
    ]);
  });

  it('only the top of a stack that moves', () => {
    expect(flights({ board: { 0: ['wood-mouse', 'fire-mouse'] } }, { board: { 2: ['wood-mouse', 'fire-mouse'] } })).toEqual(['fire-mouse: space-0 > space-2']);
  });

  it('nothing where nothing has changed, or far too much', () => {
    expect(flights({ hand: ['fire-pig'] }, { hand: ['fire-pig'] })).toEqual([]);
    expect(flights({}, { rival: { cards: 60 } })).toEqual([]);
  });
});
