/** An action that could be played, as sentences: for hints and for what would have been better. */
import type { Action, CardName, Element, View } from '../api/types';
import { number, percent, t } from '../i18n';
import type { NameOf, Sentence, Told } from './story';

export function advised(action: Action, view: View, nameOf: NameOf): Sentence[] {
  const said: Sentence[] = [];
  const say = (key: Sentence['key'], told: Record<string, Told> = {}) => said.push({ key, told });
  if (action.type === 'pass') say('advice.pass');
  if (action.type === 'discard') say('advice.discard', { cards: { cards: action.cards } });
  if (action.type === 'draw') {
    const card = action.source === 'deck' ? null : view.table.stream[action.source];
    if (card) say('advice.draw.stream', { card: { card } });
    else say('advice.draw.deck');
  }
  if (action.type === 'summon') {
    const { space, move, pay, gain } = action;
    const card = { card: action.card };
    const element = action.card.split('-')[0] as Element;
    const covered: CardName | undefined = move?.from === space ? undefined : view.table.spaces[space]!.cards.at(-1);
    if (covered) say('advice.summon.over', { card, covered: { card: covered } });
    else say('advice.summon', { card, number: space + 1 });
    if (move) say('advice.stack', { from: move.from + 1, number: move.to + 1 });
    const tokens = { count: pay.tokens, element: { element } };
    if (pay.cards.length && pay.tokens) say('advice.pays.both', { cards: { cards: pay.cards }, ...tokens });
    else if (pay.cards.length) say('advice.pays', { cards: { cards: pay.cards } });
    else if (pay.tokens) say('advice.pays.tokens', tokens);
    if (gain?.from === 'seat') say('advice.gains.from', { name: nameOf(gain.seat) });
    if (gain?.from === 'space') say('advice.gains.space', { number: gain.space + 1 });
  }
  return said;
}

/** A seat's prospects: its win chance, in co-op the score to be expected. */
export const prospect = (mode: 'competitive' | 'cooperative', outlook: number): string =>
  mode === 'competitive' ? percent(outlook) : t('advice.score', { score: number(outlook, 1) });
