/**
 * The first game: a real one at the server, whose deal and whose opponent's actions are settled beforehand. It waits
 * for the one action that it teaches next; everything else the server says, as in any game.
 */
import { effect, signal } from '@preact/signals';
import * as api from '../api/calls';
import { Refusal } from '../api/client';
import type { Action, BoardInfo, CardName, Element, Game, GameRecord } from '../api/types';
import { nothing, type Draft } from '../play/choice';
import { rules } from '../play/rules';
import { forget, keepToken } from '../play/seats';
import { Session } from '../play/session';
import { drop, keep, read, type Kept } from './kept';

export const STEPS = ['aim', 'draw', 'deck', 'limit', 'rank', 'space', 'pay', 'vines', 'ascend', 'end'] as const;
export type Step = (typeof STEPS)[number];

const [PUPIL, RIVAL] = [0, 1];
const RIVALS_PACE_MS = 900;
const AGAIN_MS = 1500;

/** In the order dealt and drawn: the pupil's four, the rival's four, the Stream, the deck's top; the rest follows in any order. */
const DEALT: CardName[] = [
  'wood-mouse', 'fire-mouse', 'wood-horse', 'wood-snake',
  'wood-pig', 'wood-dragon', 'water-monkey', 'metal-goat',
  'fire-goat', 'earth-rooster', 'earth-buffalo', 'metal-cat', 'fire-dog', 'water-rooster', 'metal-dragon', 'earth-horse',
  'water-dog', 'fire-tiger', 'metal-snake', 'earth-tiger', 'water-snake', 'water-tiger', 'fire-monkey', 'metal-dog', 'water-goat',
];

/** Three spaces with tokens, the middle one joined to both others. */
function threeInARow(board: BoardInfo): [number, number, number] {
  const joined = (space: number) =>
    board.vines.filter((vine) => vine.includes(space)).map(([a, b]) => (a === space ? b! : a!)).filter((one) => board.token_spaces.includes(one));
  const ends = (middle: number) => joined(middle).filter((one, at, all) => all.every((other, to) => at === to || !joined(one).includes(other)));
  const middle = board.token_spaces.findLast((space) => ends(space).length > 1)!;
  return [ends(middle)[0]!, middle, ends(middle)[1]!];
}

const draw = (seat: number, source: 'deck' | number): Action => ({ seat, type: 'draw', source });
const summon = (seat: number, card: CardName, space: number, cards: CardName[], tokens: number, gain: { from: 'supply' } | null = null): Action =>
  ({ seat, type: 'summon', card, space, move: null, pay: { cards, tokens }, gain });

const BEFORE = [draw(PUPIL, 0), draw(PUPIL, 1), draw(RIVAL, 2), draw(RIVAL, 3)];

function script(board: BoardInfo): Action[] {
  const [mouse, horse, pig] = threeInARow(board);
  return [
    ...BEFORE,
    draw(PUPIL, 4), draw(PUPIL, 'deck'), { seat: PUPIL, type: 'discard', cards: ['water-tiger'] },
    draw(RIVAL, 6), summon(RIVAL, 'wood-pig', pig, ['wood-dragon'], 0),
    summon(PUPIL, 'wood-mouse', mouse, ['wood-snake'], 0), summon(PUPIL, 'wood-horse', horse, [], 1),
    draw(RIVAL, 7), draw(RIVAL, 5),
    summon(PUPIL, 'fire-mouse', mouse, ['fire-dog'], 0, { from: 'supply' }),
  ];
}

function recordOf(board: BoardInfo, names: [string, string]): GameRecord {
  const [mouse, horse, pig] = threeInARow(board);
  const lying = new Map<number, Element>([[mouse, 'wood'], [horse, 'fire'], [pig, 'wood']]);
  const others: Element[] = ['fire', 'earth', 'earth', 'metal', 'metal', 'water', 'water'];
  return {
    format: 'stem-branch/1',
    mode: 'competitive',
    options: {},
    board: { name: board.name, vines: board.vines, token_spaces: board.token_spaces },
    year_animal: 'mouse',
    seats: names.map((name) => ({ name, player: 'human' })),
    setup: {
      first_seat: PUPIL,
      deck: [...DEALT, ...[...rules.value!.cards.keys()].filter((card) => !DEALT.includes(card))],
      tokens: board.token_spaces.map((space) => lying.get(space) ?? others.shift()!),
    },
    actions: BEFORE,
    result: null,
  };
}

export function endLesson(): void {
  const kept = read();
  drop();
  if (kept) forget(kept.id);
}

/** Goes on with the lesson that was begun here, else begins one. */
export async function openLesson(names: [string, string]): Promise<Lesson> {
  const board = rules.value!.boards.find((one) => one.default) ?? rules.value!.boards[0]!;
  let kept = read();
  if (!kept) {
    const { id, tokens } = await api.importRecord(recordOf(board, names), 'play');
    keepToken(id, PUPIL, tokens[PUPIL]!);
    kept = { id, rival: tokens[RIVAL]!, begun: false };
    keep(kept);
  }
  return new Lesson(kept, script(board));
}

const within = (cards: CardName[], wanted: CardName[]): boolean => cards.every((card) => wanted.includes(card));

const isNothing = (draft: Draft): boolean => JSON.stringify(draft) === JSON.stringify(nothing);

/** Does this choice lead to the wanted action? */
export function leadsTo(draft: Draft, wanted: Action): boolean {
  if (isNothing(draft)) return true;
  if (wanted.type === 'draw') return draft.draw === wanted.source;
  if (wanted.type === 'discard') return within(draft.discard, wanted.cards);
  if (wanted.type !== 'summon' || draft.draw !== null) return false;
  return (
    draft.card === wanted.card &&
    (draft.space === null || draft.space === wanted.space) &&
    within(draft.cards, wanted.pay.cards) &&
    draft.tokens <= wanted.pay.tokens
  );
}

const MAIN = '.action .button.main';
const ofCard = (card: CardName): string => `.in-hand [data-card="${card}"]`;

/** What is to be clicked next on the way to the wanted action. */
export function pointAt(draft: Draft, wanted: Action): string {
  if (wanted.type === 'draw') return draft.draw === wanted.source ? MAIN : `[data-place="${wanted.source}"]`;
  if (wanted.type === 'discard') {
    const missing = wanted.cards.find((card) => !draft.discard.includes(card));
    return missing ? ofCard(missing) : MAIN;
  }
  if (wanted.type !== 'summon') return MAIN;
  if (draft.card !== wanted.card) return ofCard(wanted.card);
  if (draft.space !== wanted.space) return `[data-space="${wanted.space}"]`;
  const missing = wanted.pay.cards.find((card) => !draft.cards.includes(card));
  if (missing) return ofCard(missing);
  return draft.tokens < wanted.pay.tokens ? '.pay-token[aria-pressed="false"]' : MAIN;
}

export class Lesson {
  readonly session: Session;
  /** How often something else was tried in this step. */
  readonly strayed = signal(0);
  private readonly begun = signal(false);
  private closed = false;
  private rivalActs = -1;
  private readonly stops: (() => void)[];

  constructor(private readonly kept: Kept, private readonly script: Action[]) {
    this.begun.value = kept.begun;
    this.session = new Session(kept.id);
    this.session.guard = (draft) => {
      const { wanted } = this;
      const fine = isNothing(draft) || (wanted !== null && leadsTo(draft, wanted));
      // At the end there is nothing to stray from.
      this.strayed.value = fine || this.step === 'end' ? 0 : this.strayed.value + 1;
      return fine;
    };
    this.stops = [
      effect(() => {
        const game = this.session.game.value;
        if (game && game.seat_to_act === RIVAL && game.actions_played !== this.rivalActs) void this.actForRival(game);
      }),
    ];
  }

  close(): void {
    this.closed = true;
    for (const stop of this.stops) stop();
    this.session.close();
  }

  get id(): string {
    return this.kept.id;
  }

  /** The spaces that the lesson speaks of. */
  get spaces(): { mouse: number; horse: number } {
    const [mouse, horse] = this.script.filter((action) => action.type === 'summon' && action.seat === PUPIL).map((action) => (action as { space: number }).space);
    return { mouse: mouse!, horse: horse! };
  }

  /** The pupil's next action; null while the rival plays and at the end. */
  get wanted(): Action | null {
    const action = this.session.live.value && this.script[this.session.live.value.actions_played];
    return this.step !== 'aim' && action?.seat === PUPIL ? action : null;
  }

  /** The step follows from the table alone, so a reload finds it again. */
  get step(): Step {
    const played = this.session.live.value?.actions_played ?? 0;
    const draft = this.session.draft.value;
    if (played >= this.script.length) return 'end';
    if (played <= 4) return this.begun.value ? 'draw' : 'aim';
    if (played < 7) return played === 5 ? 'deck' : 'limit';
    if (played < 10) return draft.card === null ? 'rank' : draft.space === null ? 'space' : 'pay';
    return played === 10 ? 'vines' : 'ascend';
  }

  get rivalPlays(): boolean {
    return this.session.live.value?.seat_to_act === RIVAL && this.step !== 'end';
  }

  readonly begin = (): void => {
    this.begun.value = true;
    keep({ ...this.kept, begun: true });
  };

  /** The rival's actions are posted like anybody's; the key makes one sent twice harmless. */
  private async actForRival(game: Game): Promise<void> {
    const action = this.script[game.actions_played];
    if (action?.seat !== RIVAL) return;
    this.rivalActs = game.actions_played;
    await new Promise((done) => setTimeout(done, RIVALS_PACE_MS));
    while (!this.closed) {
      try {
        await api.act(this.id, this.kept.rival, game.version, action, `lesson-${game.actions_played}`);
        break;
      } catch (fault) {
        if (fault instanceof Refusal) break; // another tab was faster
        await new Promise((done) => setTimeout(done, AGAIN_MS));
      }
    }
    if (!this.closed) void this.session.tick();
  }
}
