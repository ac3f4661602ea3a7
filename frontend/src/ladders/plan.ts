/** What somebody chooses who begins a ladder, and the request that it comes to. */
import type { NewLadder } from './calls';

export type Budget = 'usual' | 'seconds' | 'iterations';
export interface Entrant { player: string; budget: Budget; amount: number }

export interface Plan {
  mode: NewLadder['mode'] & string;
  seats: number;
  entrants: Entrant[];
  games: number;
  seed: number;
  gauntlet: boolean;
  options: NonNullable<NewLadder['options']>;
}

export const MOST_GAMES = 5000;
export const MOST_PLAYERS = 16;
export const MOST_SEED = 4_503_599_627;
export const AMOUNTS = {
  seconds: { min: 0.05, max: 10, step: 0.05, usual: 0.5 },
  iterations: { min: 1, max: 1_000_000, step: 1, usual: 500 },
};

export const usually = (player: string): Entrant => ({ player, budget: 'usual', amount: 0 });

export const firstPlan = (): Plan => ({
  mode: 'competitive', seats: 2, entrants: ['beginner', 'average', 'good'].map(usually), games: 60, seed: 1, gauntlet: false, options: {},
});

/** A budget is part of the name, so that one level can take part with several. */
function asked({ player, budget, amount }: Entrant): NewLadder['players'][number] {
  if (budget === 'usual') return { player };
  return { player, name: `${player} ${amount}${budget === 'seconds' ? ' s' : ''}`.slice(0, 40), [budget]: amount };
}

export function request({ mode, seats, entrants, games, seed, gauntlet, options }: Plan): NewLadder {
  const common = { mode, seats, players: entrants.map(asked), games, seed };
  return mode === 'cooperative' ? { ...common, options } : { ...common, gauntlet };
}

export const fewest = ({ mode, seats }: Plan): number => (mode === 'cooperative' ? 1 : seats);
