import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/calls';
import type { Action, CardName, Game, View } from '../api/types';
import { Dialog } from '../Dialog';
import { cardLabel, t, tCount } from '../i18n';
import { advised } from '../play/advice';
import * as choice from '../play/choice';
import { tokenOf } from '../play/seats';
import type { Session } from '../play/session';
import { spoken } from '../play/story';

interface Props { session: Session; game: Game; view: View; onClose: () => void }

/** Every legal action as a sentence to press: the whole game can be played from here, without the pictures. */
export function AllActions({ session, game, view, onClose }: Props) {
  const [legal, setLegal] = useState<Action[] | null>(null);
  const mine = session.choices.value !== null;
  useEffect(() => {
    setLegal(null);
    if (!mine) return;
    void session.attempt(async () => {
      const { version, actions } = await api.readLegalActions(game.id, tokenOf(game.id, session.eyes.peek()));
      if (version === game.version) setLegal(actions);
    });
  }, [game.version, mine]);
  const groups = new Map<CardName | null, Action[]>();
  for (const action of legal ?? []) {
    const card = action.type === 'summon' ? action.card : null;
    groups.set(card, [...(groups.get(card) ?? []), action]);
  }
  /** What a summon brings, as its preview on the board says. */
  const years = (action: Action): string => {
    const { value: choices } = session.choices;
    const draft = choice.draftOf(choices, action);
    const placement = choice.placementOf(choices, draft);
    const count = placement ? choice.yearsOf(placement, draft) : 0;
    return count ? ` · ${tCount('table.plus', count)}` : '';
  };
  const play = (action: Action) => {
    onClose();
    void session.send(action);
  };
  return (
    <Dialog title={t('actions.title')} class="wide all-actions" onClose={onClose}>
      {!mine && <p>{t('actions.wait')}</p>}
      {mine && !legal && <p role="status">{t('app.loading')}</p>}
      {legal && <p class="quiet">{t('actions.text')}</p>}
      {[...groups].map(([card, actions]) => (
        <section key={card}>
          {card && <h3>{cardLabel(card)}</h3>}
          <ul>
            {actions.map((action) => (
              <li key={JSON.stringify(action)}>
                <button type="button" class="pick" onClick={() => play(action)}>{spoken(advised(action, view, (seat) => game.seats[seat]!.name))}{years(action)}</button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}
