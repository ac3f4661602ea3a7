import './storage';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BoardInfo, LogEntry, Outcome } from '../src/api/types';
import { speak } from '../src/i18n';
import { spoken, story } from '../src/play/story';
import { parse } from '../src/route';
import { layOut } from '../src/table/layout';
import { yearPoint } from '../src/table/YearTrack';

beforeAll(() => speak('en'));

const ring = (count: number): BoardInfo => ({
  name: 'scroll',
  default: false,
  spaces: Array.from({ length: count }, (_, space) => ({
    space,
    x: 0.5 + 0.4 * Math.cos((space * 2 * Math.PI) / count),
    y: 0.5 + 0.4 * Math.sin((space * 2 * Math.PI) / count),
  })),
  vines: [],
  token_spaces: [],
});

describe('the board', () => {
  it.each([[770, 500], [378, 380], [378, 260], [1200, 760]])('fits %i × %i without spaces touching', (width, height) => {
    const { at, card } = layOut(ring(12), width, height, true);
    for (const [one, a] of at.entries()) {
      expect(a.x - card.width / 2).toBeGreaterThan(0);
      expect(a.x + card.width / 2).toBeLessThan(width);
      expect(a.y + card.height / 2).toBeLessThan(height);
      for (const b of at.slice(one + 1)) {
        expect(Math.abs(a.x - b.x) > card.width || Math.abs(a.y - b.y) > card.height).toBe(true);
      }
    }
  });
});

describe('the year track', () => {
  it('begins at the top in the middle and comes back to it after sixty years', () => {
    expect(yearPoint(0, 200, 100, 10)).toEqual({ x: 100, y: 10 });
    expect(yearPoint(60, 200, 100, 10)).toEqual({ x: 100, y: 10 });
    expect(yearPoint(30, 200, 100, 10)).toEqual({ x: 100, y: 90 });
  });
});

describe('links', () => {
  it('name a page and keep what follows the question mark', () => {
    expect(parse('#/game/abc?seat=1&token=t').id).toBe('abc');
    expect(parse('#/game/abc?seat=1&token=t').query.get('token')).toBe('t');
    expect(parse('#/rules').page).toBe('rules');
    expect(parse('#/nowhere').page).toBe('nowhere');
    expect(parse('').page).toBe('home');
  });
});

describe('the story of an action', () => {
  const outcome: Outcome = {
    drawn: null, hidden: false, refill: null, cost: null, covered: null, gained: [], animal_token: null, ascended: null,
    years: 0, turn_over: false, last_round: null, over: false,
  };
  const entry = (action: LogEntry['action'], part: Partial<Outcome>): LogEntry => ({
    index: 0, version: 1, at: '2026-01-01T00:00:00Z', seat: action.seat, action, outcome: { ...outcome, ...part },
  });
  const nameOf = (seat: number) => ['An', 'Bình'][seat]!;

  it('says what a summon paid, gained and took', () => {
    const told = spoken(
      story(
        entry(
          { seat: 0, type: 'summon', card: 'earth-horse', space: 4, move: null, pay: { cards: ['earth-snake'], tokens: 2 }, gain: { from: 'seat', seat: 1 } },
          {
            cost: 3, covered: 'water-horse', years: 2, animal_token: { animal: 'horse', from: 1 },
            gained: [{ element: 'water', by: 'ascension', from: { from: 'seat', seat: 1 } }],
          },
        ),
        nameOf,
      ),
    );
    expect(told).toBe(
      'An summoned Earth Horse over Water Horse, paid Earth Snake and 2 × Earth, gained Water from Bình, took the Horse token from Bình, +2 years',
    );
  });

  it('does not name a card drawn unseen', () => {
    expect(spoken(story(entry({ seat: 1, type: 'draw', source: 'deck' }, { hidden: true }), nameOf))).toBe('Bình drew from the deck');
    expect(spoken(story(entry({ seat: 1, type: 'draw', source: 3 }, { drawn: 'fire-pig' }), nameOf))).toBe('Bình took Fire Pig from the Stream');
  });
});
