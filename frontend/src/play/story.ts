/** What happened, as sentences: one list for the log, the announcements and every language. */
import type { Animal, CardName, Element, LogEntry } from '../api/types';
import { animalName, cardName, elementName, listOf, t, type MessageKey } from '../i18n';

export type Told = string | number | { card: CardName } | { cards: CardName[] } | { element: Element } | { animal: Animal };
export interface Sentence { key: MessageKey; told: Record<string, Told> }

export type NameOf = (seat: number) => string;

export function story(entry: LogEntry, nameOf: NameOf): Sentence[] {
  const { action, outcome } = entry;
  const who = nameOf(entry.seat);
  const said: Sentence[] = [];
  const say = (key: MessageKey, told: Record<string, Told> = {}) => said.push({ key, told });
  if (action.type === 'pass') say('log.pass', { who });
  if (action.type === 'discard') say('log.discard', { who, cards: { cards: action.cards } });
  if (action.type === 'draw') {
    if (action.source !== 'deck' && outcome.drawn) say('log.draw.stream', { who, card: { card: outcome.drawn } });
    else if (outcome.drawn) say('log.draw.deck.card', { who, card: { card: outcome.drawn } });
    else say('log.draw.deck', { who });
  }
  if (action.type === 'summon') {
    const card = { card: action.card };
    if (outcome.covered) say('log.summon.over', { who, card, covered: { card: outcome.covered } });
    else say('log.summon', { who, card, number: action.space + 1 });
    if (action.move) say('log.stack', { from: action.move.from + 1, number: action.move.to + 1 });
    const [cards, count] = [{ cards: action.pay.cards }, action.pay.tokens];
    const element = { element: action.card.split('-')[0] as Element };
    if (action.pay.cards.length && count) say('log.pays.both', { cards, count, element });
    else if (action.pay.cards.length) say('log.pays', { cards });
    else if (count) say('log.pays.tokens', { count, element });
    for (const gained of outcome.gained) {
      const token = { element: gained.element };
      if (gained.from.from === 'seat') say('log.gains.from', { element: token, name: nameOf(gained.from.seat) });
      else say('log.gains', { element: token });
    }
    if (outcome.animal_token) {
      const animal = { animal: outcome.animal_token.animal };
      if (outcome.animal_token.from === null) say('log.takes', { animal });
      else say('log.takes.from', { animal, name: nameOf(outcome.animal_token.from) });
    }
    if (outcome.ascended) say('log.ascended', { animal: { animal: outcome.ascended } });
    if (outcome.years) say(outcome.years === 1 ? 'log.years.one' : 'log.years.other', { count: outcome.years });
  }
  if (outcome.last_round === 'deck') say('log.last.deck');
  if (outcome.last_round === 'years') say('log.last.years');
  if (outcome.over) say('log.over');
  return said;
}

export function plain(told: Told): string | number {
  if (typeof told !== 'object') return told;
  if ('card' in told) return cardName(told.card);
  if ('cards' in told) return listOf(told.cards.map(cardName));
  return 'element' in told ? elementName(told.element) : animalName(told.animal);
}

export const spoken = (sentences: Sentence[]): string =>
  sentences
    .map(({ key, told }) => t(key, Object.fromEntries(Object.entries(told).map(([name, value]) => [name, plain(value)]))))
    .join(', ');
