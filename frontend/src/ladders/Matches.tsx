import { useState } from 'preact/hooks';
import * as api from '../api/calls';
import { Refusal, Unreachable } from '../api/client';
import type { LadderMatch } from '../api/types';
import { number, t } from '../i18n';
import { go } from '../route';
import { listMatches, readLadderRecord } from './calls';

/** The games of a ladder, a page at a time; each can be looked at as a replay. */
export function Matches({ id, played }: { id: string; played: number }) {
  const [matches, setMatches] = useState<LadderMatch[]>([]);
  const [after, setAfter] = useState<number | null>(-1);
  const [lost, setLost] = useState(false);
  const guarded = async (work: () => Promise<void>) => {
    try {
      setLost(false);
      await work();
    } catch (fault) {
      if (!(fault instanceof Unreachable || fault instanceof Refusal)) throw fault;
      setLost(true);
    }
  };
  const more = () =>
    guarded(async () => {
      const page = await listMatches(id, after ?? matches.at(-1)?.index ?? -1);
      setMatches((before) => [...before, ...page.matches]);
      setAfter(page.next_after);
    });
  const watch = (match: number, game: number) =>
    guarded(async () => {
      const { id: replay } = await api.importRecord(await readLadderRecord(id, match, game), 'replay');
      go('game', replay);
    });
  return (
    <section class="ladder-games">
      <h2>{t('ladder.games')}</h2>
      {lost && <p class="warn" role="status">{t('table.lost')}</p>}
      <ol>
        {matches.map((match) =>
          match.games.map((game, at) => (
            <li key={`${match.index}-${at}`}>
              <span>
                {game.seats.map((name, seat) => (
                  <span key={seat} class={game.places[seat] === 0 ? 'won' : ''}>
                    {seat > 0 && ' · '}
                    {name}
                    {game.places[seat] === 0 && game.shares.length > 1 && <span aria-label={t('ladder.won')}> ★</span>}
                  </span>
                ))}
                {game.places.every((place) => place === 0) && <b> {number(game.shares[0]!, 1)}</b>}
                {game.fault && <em> {t(`ladder.fault.${game.fault}`, { name: game.seats[game.faulty_seat ?? 0]! })}</em>}
              </span>
              <button type="button" class="button quiet-button" onClick={() => watch(match.index, at)}>{t('ladder.watch')}</button>
            </li>
          )),
        )}
      </ol>
      {(after !== null || (matches.at(-1)?.index ?? -1) < played - 1) && played > 0 && (
        <button type="button" class="button quiet-button" onClick={more}>{t(matches.length ? 'home.more' : 'ladder.games.show')}</button>
      )}
    </section>
  );
}
