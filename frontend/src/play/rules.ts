/** Cards, boards, levels and options, asked from the server once; the page itself knows none of them. */
import { signal } from '@preact/signals';
import type { BoardInfo, CardInfo, CardName, LevelInfo, OptionRules } from '../api/types';

export interface Rules {
  cards: Map<CardName, CardInfo>;
  boards: BoardInfo[];
  levels: LevelInfo[];
  options: OptionRules;
}

export const rules = signal<Rules | null>(null);

export function cardInfo(card: CardName): CardInfo {
  const info = rules.value?.cards.get(card);
  if (!info) throw new Error(`unknown card ${card}`);
  return info;
}

export const boardInfo = (name: string): BoardInfo | undefined =>
  rules.value?.boards.find((board) => board.name === name);

export const byYear = (a: CardName, b: CardName): number => cardInfo(a).year - cardInfo(b).year;
