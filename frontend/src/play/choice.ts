/** A half-made choice and what the server's `choices` still allow of it. The rules themselves are the server's. */
import type { Action, CardName, Choices, Element, GainSource, Move, Placement, SummonChoice } from '../api/types';

export interface Draft {
  draw: 'deck' | number | null;
  card: CardName | null;
  space: number | null;
  /** undefined: not chosen yet; null: nothing moves. */
  move: Move | null | undefined;
  /** A stack picked up before its target is known. */
  lifted: number | null;
  cards: CardName[];
  tokens: number;
  gain: GainSource | null;
  discard: CardName[];
}

export const nothing: Draft = {
  draw: null, card: null, space: null, move: undefined, lifted: null, cards: [], tokens: 0, gain: null, discard: [],
};

export type Step = 'start' | 'space' | 'move' | 'pay' | 'gain' | 'confirm';

export const summonOf = (choices: Choices | null, card: CardName | null): SummonChoice | null =>
  choices?.summon.find((summon) => summon.card === card) ?? null;

export const payable = (summon: SummonChoice | null): Placement[] => summon?.placements.filter((p) => p.payable) ?? [];

const sameMove = (a: Move | null, b: Move | null): boolean =>
  a === b || (a !== null && b !== null && a.from === b.from && a.to === b.to);

/** Placements of the drafted card on the drafted space. */
export const placementsHere = (choices: Choices | null, draft: Draft): Placement[] =>
  payable(summonOf(choices, draft.card)).filter((p) => p.space === draft.space);

export function placementOf(choices: Choices | null, draft: Draft): Placement | null {
  const move = draft.move;
  if (draft.space === null || move === undefined) return null;
  return placementsHere(choices, draft).find((p) => sameMove(p.move, move)) ?? null;
}

/** Every way to pay, as card counts per token count, is one of C(n, k); only "none", "one" or "several" matters. */
function onlyPayment(summon: SummonChoice, placement: Placement): { cards: CardName[]; tokens: number } | null {
  const usable = summon.usable.cards;
  let found: { cards: CardName[]; tokens: number } | null = null;
  for (let tokens = 0; tokens <= Math.min(placement.tokens, placement.cost); tokens += 1) {
    const needed = placement.cost - tokens;
    if (needed > usable.length) continue;
    if (found || (needed > 0 && needed < usable.length)) return null;
    found = { cards: usable.slice(0, needed), tokens };
  }
  return found;
}

/** Fills in whatever has only one possibility left. */
export function settle(choices: Choices | null, draft: Draft): Draft {
  const summon = summonOf(choices, draft.card);
  if (!summon || draft.space === null) return draft;
  let next = draft;
  const here = placementsHere(choices, next);
  if (next.move === undefined && here.length === 1) next = { ...next, move: here[0]!.move };
  if (next.move === undefined) {
    const stacks = new Set(here.map((p) => p.move?.from ?? -1));
    if (stacks.size === 1 && next.lifted === null) next = { ...next, lifted: here[0]!.move!.from };
    const targets = here.filter((p) => p.move && p.move.from === next.lifted);
    if (stacks.size === 1 && targets.length === 1) next = { ...next, move: targets[0]!.move };
  }
  const placement = placementOf(choices, next);
  if (!placement) return next;
  const only = onlyPayment(summon, placement);
  if (only) next = { ...next, ...only };
  const sources = placement.gains.ascension?.sources ?? [];
  if (sources.length === 1) next = { ...next, gain: sources[0]! };
  return next;
}

export const paid = (draft: Draft): number => draft.cards.length + draft.tokens;

export function stepOf(choices: Choices | null, draft: Draft): Step {
  if (draft.draw !== null) return 'confirm';
  if (draft.card === null) return 'start';
  if (draft.space === null) return 'space';
  const placement = placementOf(choices, draft);
  if (!placement) return 'move';
  if (paid(draft) !== placement.cost) return 'pay';
  if (placement.gains.ascension?.sources.length && draft.gain === null) return 'gain';
  return 'confirm';
}

/** Years the drafted summon will bring, as far as it is known now. */
export function yearsOf(placement: Placement, draft: Draft): number {
  if (!placement.years) return 0;
  return placement.years.base - (placement.years.for === 'element_tokens' ? draft.tokens : 0);
}

/** The finished action, or null while something is still open. */
export function actionOf(choices: Choices | null, draft: Draft): Action | null {
  if (!choices) return null;
  const seat = choices.seat;
  if (choices.type === 'discard') {
    return choices.discard && draft.discard.length === choices.discard.count
      ? { seat, type: 'discard', cards: [...draft.discard] }
      : null;
  }
  if (draft.draw !== null) return { seat, type: 'draw', source: draft.draw };
  const placement = placementOf(choices, draft);
  if (!placement || draft.card === null || stepOf(choices, draft) !== 'confirm') return null;
  return {
    seat,
    type: 'summon',
    card: draft.card,
    space: placement.space,
    move: placement.move,
    pay: { cards: [...draft.cards], tokens: draft.tokens },
    gain: placement.gains.ascension?.sources.length ? draft.gain : null,
  };
}

export const chooseCard = (choices: Choices | null, card: CardName): Draft =>
  settle(choices, { ...nothing, card });

export const chooseSpace = (choices: Choices | null, draft: Draft, space: number): Draft =>
  settle(choices, { ...nothing, card: draft.card, space });

export const chooseMove = (choices: Choices | null, draft: Draft, move: Move | null): Draft =>
  settle(choices, { ...nothing, card: draft.card, space: draft.space, move });

export const lift = (choices: Choices | null, draft: Draft, from: number | null): Draft =>
  settle(choices, { ...nothing, card: draft.card, space: draft.space, lifted: from });

const toggled = (list: CardName[], card: CardName, room: number): CardName[] =>
  list.includes(card) ? list.filter((one) => one !== card) : room > 0 ? [...list, card] : list;

export function togglePay(choices: Choices | null, draft: Draft, card: CardName): Draft {
  const placement = placementOf(choices, draft);
  if (!placement) return draft;
  return { ...draft, cards: toggled(draft.cards, card, placement.cost - paid(draft)) };
}

export function setTokens(choices: Choices | null, draft: Draft, tokens: number): Draft {
  const placement = placementOf(choices, draft);
  if (!placement) return draft;
  const most = Math.min(placement.tokens, placement.cost - draft.cards.length);
  return { ...draft, tokens: Math.max(0, Math.min(tokens, most)) };
}

export const toggleDiscard = (choices: Choices | null, draft: Draft, card: CardName): Draft => ({
  ...draft,
  discard: toggled(draft.discard, card, (choices?.discard?.count ?? 0) - draft.discard.length),
});

/** What a click on the board may hit now: the space, the cost there, and whether it is the one already chosen. */
export interface Target { space: number; cost: number; chosen: boolean }

export function targetsOf(choices: Choices | null, draft: Draft): Target[] {
  if (draft.card === null) return [];
  const all = payable(summonOf(choices, draft.card));
  if (stepOf(choices, draft) === 'move') {
    const here = placementsHere(choices, draft).filter((p) => p.move !== null);
    return here
      .filter((p) => (draft.lifted === null ? true : p.move!.from === draft.lifted))
      .map((p) => ({ space: draft.lifted === null ? p.move!.from : p.move!.to, cost: p.cost, chosen: false }))
      .filter((target, at, list) => list.findIndex((other) => other.space === target.space) === at);
  }
  const cheapest = new Map<number, number>();
  for (const p of all) cheapest.set(p.space, Math.min(p.cost, cheapest.get(p.space) ?? 99));
  const placement = placementOf(choices, draft);
  return [...cheapest].map(([space, cost]) => ({
    space,
    cost: space === draft.space && placement ? placement.cost : cost,
    chosen: space === draft.space,
  }));
}

/** A source of an ascension token as one word. */
export const sourceKey = (source: GainSource): string =>
  source.from === 'supply' ? 'supply' : source.from === 'space' ? `space-${source.space}` : `seat-${source.seat}`;

/** What beside cards may be taken hold of now: own tokens that pay, tokens to be gained, stacks that may move. */
export interface Loose {
  pays: { element: Element; spent: number } | null;
  gains: { element: Element; sources: string[] } | null;
  stacks: number[];
}

export function looseOf(choices: Choices | null, draft: Draft): Loose {
  const summon = summonOf(choices, draft.card);
  const placement = placementOf(choices, draft);
  const due = placement?.gains.ascension;
  const pays = summon && placement && paid(draft) < placement.cost && draft.tokens < placement.tokens;
  const moving = placementsHere(choices, draft).flatMap(({ move }) => (move ? [move.from] : []));
  return {
    pays: pays ? { element: summon.usable.element, spent: draft.tokens } : null,
    gains: due && due.sources.length > 1 ? { element: due.element, sources: due.sources.map(sourceKey) } : null,
    stacks: stepOf(choices, draft) !== 'move' ? [] : draft.lifted === null ? moving : [draft.lifted],
  };
}

/** A draft read back from storage counts only as far as the server's choices still hold it. */
export function revive(choices: Choices | null, stored: unknown): Draft {
  if (!choices || typeof stored !== 'object' || stored === null) return nothing;
  const old = { ...nothing, ...(stored as Partial<Draft>) };
  if (choices.type === 'discard') {
    return { ...nothing, discard: old.discard.filter((card) => choices.discard?.cards.includes(card)) };
  }
  if (old.draw !== null) {
    const offered = old.draw === 'deck' ? choices.draw?.deck : choices.draw?.stream.includes(old.draw);
    return offered ? { ...nothing, draw: old.draw } : nothing;
  }
  const summon = summonOf(choices, old.card);
  if (!summon) return nothing;
  if (old.space === null || !payable(summon).some((p) => p.space === old.space)) return { ...nothing, card: old.card };
  const placement = placementOf(choices, old);
  if (!placement) return settle(choices, { ...nothing, card: old.card, space: old.space });
  const cards = old.cards.filter((card) => summon.usable.cards.includes(card)).slice(0, placement.cost);
  const tokens = Math.min(old.tokens, placement.tokens, placement.cost - cards.length);
  const sources = placement.gains.ascension?.sources ?? [];
  const gain = sources.find((source) => JSON.stringify(source) === JSON.stringify(old.gain)) ?? null;
  return settle(choices, { ...nothing, card: old.card, space: old.space, move: placement.move, cards, tokens, gain });
}

/** The draft of an action somebody advises, as far as the server's choices hold it. */
export function draftOf(choices: Choices | null, action: Action): Draft {
  switch (action.type) {
    case 'draw': return revive(choices, { draw: action.source });
    case 'discard': return revive(choices, { discard: action.cards });
    case 'pass': return nothing;
    default: {
      const { card, space, move, pay, gain } = action;
      return revive(choices, { card, space, move, gain, ...pay });
    }
  }
}
