/** The daily deal on this device: which games were its tries, and what they scored. */
import { signal } from '@preact/signals';
import * as api from '../api/calls';
import { Refusal } from '../api/client';
import type { Game } from '../api/types';
import { rankName, t } from '../i18n';
import { createSolo } from './plan';
import { tokenOf } from './seats';

export interface Try { id: string; score: number | null; rank: string | null }
type History = Record<string, Try[]>;

const KEY = 'stem-branch.daily';
const DAY_MS = 86_400_000;

function read(): History {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as History;
  } catch {
    return {};
  }
}

export const history = signal<History>(read());

addEventListener('storage', (event) => {
  if (event.key === KEY) history.value = read();
});

function change(date: string, tries: (before: Try[]) => Try[]): void {
  const all = { ...read(), [date]: tries(read()[date] ?? []) };
  localStorage.setItem(KEY, JSON.stringify(all));
  history.value = all;
}

/** Today in UTC, as the deals are counted. */
export const today = (): string => new Date().toISOString().slice(0, 10);
export const dayBefore = (date: string, days = 1): string => new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);

/** Begins a try at the day's deal. There are no hints: scores shall be comparable. */
export async function beginDaily(deal: api.DailyDeal): Promise<string> {
  const id = await createSolo({ seed: deal.seed, options: deal.options, hints: false });
  change(deal.date, (tries) => [...tries, { id, score: null, rank: null }]);
  return id;
}

/** Which day's deal a game is, and which try at it. */
export function dailyOf(id: string): { date: string; number: number } | null {
  for (const [date, tries] of Object.entries(history.value)) {
    const at = tries.findIndex((one) => one.id === id);
    if (at >= 0) return { date, number: at + 1 };
  }
  return null;
}

/** Writes the score of a finished try down. */
export function settle(game: Game): void {
  const daily = dailyOf(game.id);
  if (!daily || !game.result || !('score' in game.result)) return;
  const { score, rank } = game.result;
  change(daily.date, (tries) => tries.map((one) => (one.id === game.id ? { ...one, score, rank } : one)));
}

/** Looks after tries whose end this device has not seen; one that the server no longer has is let go. */
export async function settleAll(): Promise<void> {
  const open = Object.entries(history.value).flatMap(([date, tries]) => tries.filter((one) => one.score === null).map(({ id }) => ({ date, id })));
  await Promise.all(open.map(async ({ date, id }) => {
    try {
      const { game } = await api.readGame(id, tokenOf(id, 0));
      if (game?.over) settle(game);
    } catch (fault) {
      if (fault instanceof Refusal && fault.status === 404) change(date, (tries) => tries.filter((one) => one.id !== id));
    }
  }));
}

/** A day's score: that of the first try, which alone has not seen the cards. */
export const scoreOf = (all: History, date: string): Try | null => {
  const first = all[date]?.[0];
  return first && first.score !== null ? first : null;
};

/** On how many days in a row up to this one a first try was finished; today may still be to come. */
export function streak(all: History, date: string): number {
  let last = scoreOf(all, date) ? date : dayBefore(date);
  let days = 0;
  for (; scoreOf(all, last); last = dayBefore(last)) days += 1;
  return days;
}

export const tryText = ({ score, rank }: Try): string =>
  score === null ? t('daily.running') : rank ? t('list.score', { score, rank: rankName(rank) }) : t('score.coop', { score });
