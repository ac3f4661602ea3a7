/** Setting up a game: what the form remembers on this device, and games begun at once. */
import * as api from '../api/calls';
import { Refusal } from '../api/client';
import type { Game, Mode, Options } from '../api/types';
import { levelName, t } from '../i18n';
import { rules } from './rules';
import { keepToken, keepTokens, myName, mySeats, othersAt, tokenOf } from './seats';

export const KINDS = ['competitive', 'solo', 'cooperative'] as const;
export type Kind = (typeof KINDS)[number];
export interface SeatPlan { name: string; player: api.SeatPlayer }

export interface Plan {
  kind: Kind;
  seats: SeatPlan[];
  options: Options;
  board: string;
  public: boolean;
  /** Hints for somebody who plays alone, and among several people. */
  hintsAlone: boolean;
  hintsTogether: boolean;
  /** Minutes after which somebody absent may be replaced; null: never. */
  absence: number | null;
}

const KEY = 'stem-branch.plan';

export const modeOf = (kind: Kind): Mode => (kind === 'competitive' ? 'competitive' : 'cooperative');
export const isPerson = ({ player }: { player: string }): boolean => player === 'human' || player === 'open';
export const alone = (seats: SeatPlan[]): boolean => seats.filter(isPerson).length === 1;

export const usualSeats = (count: number): SeatPlan[] =>
  Array.from({ length: count }, (_, at) => (at ? { name: '', player: 'average' } : { name: myName(), player: 'human' }));

const usualBoard = (): string => (rules.value!.boards.find((one) => one.default) ?? rules.value!.boards[0]!).name;

/** What was chosen last time, as far as this server still knows it. */
export function lastPlan(): Plan {
  const usual: Plan = {
    kind: 'competitive', seats: usualSeats(2), options: {}, board: usualBoard(), public: false, hintsAlone: true, hintsTogether: false, absence: 24 * 60,
  };
  let kept: Partial<Plan> = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Plan>;
  } catch {
    // What cannot be read was never chosen.
  }
  const plan = { ...usual, ...kept };
  const players = ['human', 'open', ...rules.value!.levels.map((level) => level.name)];
  const known = KINDS.includes(plan.kind)
    && rules.value!.options.seats[modeOf(plan.kind)].includes(plan.seats.length)
    && plan.seats.every((seat) => players.includes(seat.player))
    && rules.value!.boards.some((board) => board.name === plan.board);
  return known ? { ...plan, seats: plan.seats.map((seat, at) => (at ? seat : { ...seat, name: myName() })) } : usual;
}

export const keepPlan = (plan: Plan): void => localStorage.setItem(KEY, JSON.stringify(plan));

/** A seat's name when its field is left empty. */
export function usualName(seats: SeatPlan[], at: number): string {
  const { player } = seats[at]!;
  const before = seats.slice(0, at + 1);
  if (player === 'human') return t('new.guest', { number: before.filter((seat) => seat.player === 'human').length });
  if (player === 'open') return t('new.guest', { number: at + 1 });
  const rivals = (some: SeatPlan[]) => some.filter((seat) => !isPerson(seat)).length;
  return rivals(seats) === 1 ? levelName(player) : t('new.rival', { number: rivals(before) });
}

const named = (seats: SeatPlan[]): SeatPlan[] =>
  seats.map((seat, at) => ({ name: seat.name.trim() || usualName(seats, at), player: seat.player }));

/** Creates the game and keeps its tokens; answers with its id. */
export async function create(body: api.NewGame): Promise<string> {
  const { id, tokens } = await api.createGame(body);
  keepTokens(id, tokens);
  return id;
}

export const createPlanned = (plan: Plan, seed: number | null): Promise<string> =>
  create({
    mode: modeOf(plan.kind),
    seats: named(plan.seats),
    board: plan.board as api.NewGame['board'],
    public: plan.public,
    hints: alone(plan.seats) ? plan.hintsAlone : plan.hintsTogether,
    ...(plan.absence === null || alone(plan.seats) ? {} : { absence_minutes: plan.absence }),
    ...(plan.kind === 'competitive' ? {} : { options: plan.options }),
    ...(seed === null ? {} : { seed }),
  });

/** The opponent of a game against the computer that is begun at once: the last one chosen. */
export const usualRival = (): api.SeatPlayer => lastPlan().seats.find((seat) => !isPerson(seat))?.player ?? 'average';

export const beginAgainstComputer = (rival = usualRival()): Promise<string> =>
  create({ mode: 'competitive', seats: named([usualSeats(1)[0]!, { name: '', player: rival }]), hints: true });

export const createSolo = (more: Partial<api.NewGame>): Promise<string> =>
  create({ mode: 'cooperative', seats: named(usualSeats(1)), ...more });

/**
 * The same seats, options and board once more, with a fresh deal. Where people elsewhere played along, there is one
 * rematch for all, whose seats everybody takes anew.
 */
export async function rematch(game: Game): Promise<string> {
  const shared = othersAt(game);
  const body: api.NewGame = {
    mode: game.mode,
    seats: game.seats.map(({ name, player }) => ({ name, player: shared && player === 'human' ? 'open' : (player as api.SeatPlayer) })),
    options: game.options,
    board: game.board as api.NewGame['board'],
    public: game.public,
    hints: game.hints,
    ...(game.absence_minutes === null ? {} : { absence_minutes: game.absence_minutes }),
  };
  if (!shared) return create(body);
  const token = tokenOf(game.id, mySeats(game.id)[0]!);
  const id = game.next_game ?? await api.createGame({ ...body, after: game.id }, token).then((made) => made.id, firstMade);
  await sitDown(game, id);
  return id;
}

/** Somebody else was faster: theirs is the rematch. */
function firstMade(fault: unknown): string {
  if (fault instanceof Refusal && fault.code === 'rematch-made') return String(fault.params['game']);
  throw fault;
}

/** Takes the seats in the rematch that were one's own in the game. */
async function sitDown(game: Game, id: string): Promise<void> {
  for (const seat of mySeats(game.id)) {
    if (tokenOf(id, seat)) continue;
    try {
      keepToken(id, seat, (await api.joinSeat(id, seat, game.seats[seat]!.name)).token);
    } catch (fault) {
      if (!(fault instanceof Refusal && fault.code === 'seat-taken')) throw fault;
    }
  }
}
