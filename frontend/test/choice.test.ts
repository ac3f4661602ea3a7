import { describe, expect, it } from 'vitest';
import type { Action, Choices, GainSource, Placement, SummonChoice } from '../src/api/types';
import * as choice from '../src/play/choice';
import { nothing } from '../src/play/choice';

const placement = (part: Partial<Placement> = {}): Placement => ({
  space: 4,
  move: null,
  cost: 3,
  breakdown: { rank: 5, underneath: 2, shared: [] },
  tokens: 2,
  payable: true,
  gains: { move: null, space: null, ascension: null },
  years: { for: 'animal_tokens', base: 3 },
  ...part,
});

const summon = (part: Partial<SummonChoice> = {}): SummonChoice => ({
  card: 'earth-horse',
  rank: 5,
  usable: { cards: ['earth-snake', 'fire-horse'], element: 'earth', tokens: 2 },
  placements: [placement()],
  blocked: null,
  ...part,
});

const choices = (...summons: SummonChoice[]): Choices => ({
  seat: 0,
  type: 'action',
  draw: { deck: true, stream: [0, 2] },
  pass: false,
  discard: null,
  summon: summons,
});

const horse = (part: Partial<SummonChoice> = {}) => choices(summon(part));
const at = (offered: Choices, space = 4) => choice.chooseSpace(offered, choice.chooseCard(offered, 'earth-horse'), space);

describe('drawing', () => {
  it('is finished as soon as a place or the deck is chosen', () => {
    expect(choice.actionOf(horse(), { ...nothing, draw: 2 })).toEqual({ seat: 0, type: 'draw', source: 2 });
    expect(choice.actionOf(horse(), { ...nothing, draw: 'deck' })).toEqual({ seat: 0, type: 'draw', source: 'deck' });
  });
});

describe('summoning', () => {
  it('goes from card to space to payment to confirmation', () => {
    const offered = horse();
    expect(choice.stepOf(offered, nothing)).toBe('start');
    const card = choice.chooseCard(offered, 'earth-horse');
    expect(choice.stepOf(offered, card)).toBe('space');
    let draft = choice.chooseSpace(offered, card, 4);
    expect(choice.stepOf(offered, draft)).toBe('pay');
    draft = choice.setTokens(offered, draft, 2);
    draft = choice.togglePay(offered, draft, 'earth-snake');
    expect(choice.stepOf(offered, draft)).toBe('confirm');
    expect(choice.actionOf(offered, draft)).toEqual({
      seat: 0, type: 'summon', card: 'earth-horse', space: 4, move: null, pay: { cards: ['earth-snake'], tokens: 2 }, gain: null,
    });
  });

  it('lights only the spaces that can be paid', () => {
    const offered = horse({ placements: [placement(), placement({ space: 5, payable: false }), placement({ space: 6, cost: 1 })] });
    expect(choice.targetsOf(offered, choice.chooseCard(offered, 'earth-horse'))).toEqual([
      { space: 4, cost: 3, chosen: false },
      { space: 6, cost: 1, chosen: false },
    ]);
  });

  it('never pays more than the cost', () => {
    const offered = horse({ placements: [placement({ cost: 1 })] });
    let draft = choice.togglePay(offered, at(offered), 'earth-snake');
    draft = choice.togglePay(offered, draft, 'fire-horse');
    draft = choice.setTokens(offered, draft, 2);
    expect(choice.paid(draft)).toBe(1);
    expect(choice.togglePay(offered, draft, 'earth-snake').cards).toEqual([]);
  });

  it('pays by itself where there is only one way', () => {
    expect(at(horse({ placements: [placement({ cost: 0 })] })).tokens).toBe(0);
    expect(choice.stepOf(horse({ placements: [placement({ cost: 0 })] }), at(horse({ placements: [placement({ cost: 0 })] })))).toBe('confirm');
    const all = horse({ placements: [placement({ cost: 4 })] });
    expect(at(all)).toMatchObject({ cards: ['earth-snake', 'fire-horse'], tokens: 2 });
    const cardsOnly = horse({ placements: [placement({ cost: 2, tokens: 0 })] });
    expect(at(cardsOnly)).toMatchObject({ cards: ['earth-snake', 'fire-horse'], tokens: 0 });
  });

  it('leaves the payment open where there are several ways', () => {
    expect(choice.paid(at(horse({ placements: [placement({ cost: 2 })] })))).toBe(0);
    expect(choice.paid(at(horse({ placements: [placement({ cost: 1, tokens: 0 })] })))).toBe(0);
  });

  it('asks for the source of an ascension token only where there is a choice', () => {
    const water = (sources: NonNullable<Placement['gains']['ascension']>['sources']) =>
      horse({ placements: [placement({ cost: 0, gains: { move: null, space: null, ascension: { element: 'water', sources } } })] });
    const two = water([{ from: 'seat', seat: 1 }, { from: 'seat', seat: 2 }]);
    expect(choice.stepOf(two, at(two))).toBe('gain');
    expect(choice.actionOf(two, at(two))).toBeNull();
    expect(choice.actionOf(two, { ...at(two), gain: { from: 'seat', seat: 2 } })).toMatchObject({ gain: { from: 'seat', seat: 2 } });
    const one = water([{ from: 'supply' }]);
    expect(choice.actionOf(one, at(one))).toMatchObject({ gain: { from: 'supply' } });
    const none = water([]);
    expect(choice.actionOf(none, at(none))).toMatchObject({ gain: null });
  });

  it('previews the years, less the tokens that pay', () => {
    const elements = placement({ years: { for: 'element_tokens', base: 4 } });
    expect(choice.yearsOf(elements, { ...nothing, tokens: 2 })).toBe(2);
    expect(choice.yearsOf(placement(), { ...nothing, tokens: 2 })).toBe(3);
    expect(choice.yearsOf(placement({ years: null }), nothing)).toBe(0);
  });
});

describe('what may be taken hold of', () => {
  const loose = (offered: Choices, draft: choice.Draft) => choice.looseOf(offered, draft);

  it('is nothing before a space is chosen', () => {
    expect(loose(horse(), choice.chooseCard(horse(), 'earth-horse'))).toEqual({ pays: null, gains: null, stacks: [] });
  });

  it('is a token that pays, as long as something is to be paid', () => {
    const two = horse({ placements: [placement({ cost: 2 })] });
    const one = choice.setTokens(two, at(two), 1);
    expect(loose(two, one).pays).toEqual({ element: 'earth', spent: 1 });
    expect(loose(two, choice.setTokens(two, one, 2)).pays).toBeNull();
  });

  it('is a token to be gained, wherever there is one', () => {
    const sources: GainSource[] = [{ from: 'supply' }, { from: 'space', space: 3 }, { from: 'seat', seat: 1 }];
    const offered = (some: GainSource[]) => horse({ placements: [placement({ gains: { move: null, space: null, ascension: { element: 'water', sources: some } } })] });
    expect(loose(offered(sources), at(offered(sources))).gains).toEqual({ element: 'water', sources: ['supply', 'space-3', 'seat-1'] });
    expect(loose(offered([{ from: 'supply' }]), at(offered([{ from: 'supply' }]))).gains).toBeNull();
  });

  it('is every stack that may move, until one is lifted', () => {
    const offered = horse({ placements: [placement(), placement({ move: { from: 1, to: 2 } }), placement({ move: { from: 7, to: 8 } })] });
    expect(loose(offered, at(offered)).stacks).toEqual([1, 7]);
    expect(loose(offered, choice.lift(offered, at(offered), 7)).stacks).toEqual([7]);
  });
});

describe('moving a stack (co-operative)', () => {
  const moved = (from: number, to: number, cost = 2) => placement({ move: { from, to }, cost, years: null });

  it('takes the only target by itself', () => {
    const offered = horse({ placements: [moved(4, 5, 0)] });
    expect(choice.actionOf(offered, at(offered))).toMatchObject({ space: 4, move: { from: 4, to: 5 } });
  });

  it('lets the player choose the target of the stack that makes room', () => {
    const offered = horse({ placements: [moved(4, 5), moved(4, 9, 1)] });
    const draft = at(offered);
    expect(choice.stepOf(offered, draft)).toBe('move');
    expect(choice.targetsOf(offered, draft)).toEqual([{ space: 5, cost: 2, chosen: false }, { space: 9, cost: 1, chosen: false }]);
    expect(choice.placementOf(offered, choice.chooseMove(offered, draft, { from: 4, to: 9 }))?.cost).toBe(1);
  });

  it('offers to move any stack, or none', () => {
    const offered = horse({ placements: [placement({ cost: 3 }), moved(1, 2), moved(1, 3), moved(7, 8)] });
    const draft = at(offered);
    expect(choice.stepOf(offered, draft)).toBe('move');
    expect(choice.targetsOf(offered, draft).map((target) => target.space)).toEqual([1, 7]);
    const lifted = choice.lift(offered, draft, 1);
    expect(choice.targetsOf(offered, lifted).map((target) => target.space)).toEqual([2, 3]);
    expect(choice.stepOf(offered, choice.chooseMove(offered, draft, null))).toBe('pay');
  });
});

describe('discarding', () => {
  const offered: Choices = {
    seat: 1, type: 'discard', draw: null, pass: false, summon: [],
    discard: { count: 2, cards: ['fire-pig', 'wood-dog', 'water-cat'] },
  };

  it('takes exactly as many cards as are due', () => {
    let draft = choice.toggleDiscard(offered, nothing, 'fire-pig');
    expect(choice.actionOf(offered, draft)).toBeNull();
    draft = choice.toggleDiscard(offered, draft, 'wood-dog');
    draft = choice.toggleDiscard(offered, draft, 'water-cat');
    expect(choice.actionOf(offered, draft)).toEqual({ seat: 1, type: 'discard', cards: ['fire-pig', 'wood-dog'] });
  });
});

describe('a draft that was kept', () => {
  const offered = horse({ placements: [placement({ cost: 2 }), placement({ space: 6, cost: 1 })] });

  it('comes back whole', () => {
    const draft = choice.togglePay(offered, at(offered), 'earth-snake');
    expect(choice.revive(offered, JSON.parse(JSON.stringify(draft)))).toEqual(draft);
    expect(choice.revive(offered, { ...nothing, draw: 2 })).toEqual({ ...nothing, draw: 2 });
  });

  it('loses what the server no longer offers', () => {
    expect(choice.revive(offered, { ...nothing, card: 'wood-dog', space: 4 })).toEqual(nothing);
    expect(choice.revive(offered, { ...nothing, card: 'earth-horse', space: 11 })).toEqual({ ...nothing, card: 'earth-horse' });
    expect(choice.revive(offered, { ...nothing, draw: 7 })).toEqual(nothing);
    expect(choice.revive(null, { ...nothing, draw: 2 })).toEqual(nothing);
    const gone = { ...at(offered), cards: ['metal-pig', 'earth-snake'] };
    expect(choice.revive(offered, gone).cards).toEqual(['earth-snake']);
  });
});

describe('advice taken over', () => {
  const gain: GainSource = { from: 'seat', seat: 1 };
  const offered = horse({ placements: [placement({ gains: { move: null, space: null, ascension: { element: 'water', sources: [gain, { from: 'supply' }] } } })] });
  const advised: Action = { seat: 0, type: 'summon', card: 'earth-horse', space: 4, move: null, pay: { cards: ['earth-snake'], tokens: 2 }, gain };

  it('leaves nothing but the confirmation', () => {
    expect(choice.actionOf(offered, choice.draftOf(offered, advised))).toEqual(advised);
    expect(choice.actionOf(offered, choice.draftOf(offered, { seat: 0, type: 'draw', source: 'deck' }))).toEqual({ seat: 0, type: 'draw', source: 'deck' });
  });

  it('never holds more than the server offers', () => {
    expect(choice.draftOf(offered, { seat: 0, type: 'draw', source: 5 })).toEqual(nothing);
    expect(choice.draftOf(offered, { ...advised, space: 7 })).toEqual({ ...nothing, card: 'earth-horse' });
    expect(choice.draftOf(null, advised)).toEqual(nothing);
  });
});
