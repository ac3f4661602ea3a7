import { useRef, useState } from 'preact/hooks';
import * as api from '../api/calls';
import { Unreachable } from '../api/client';
import type { GameSummary } from '../api/types';
import { t } from '../i18n';
import { mySeats } from '../play/seats';
import { useFresh } from './fresh';
import { GameLine } from './GameLine';

const FILTERS = ['open', 'running', 'over'] as const;
const REFRESH_SECONDS = 10;

interface Listed { games: GameSummary[]; cursor: string | null }

/** What anybody may join, watch or look back at. */
export function PublicGames() {
  const [filter, setFilter] = useState<api.ListedState | null>(null);
  const [listed, setListed] = useState<Listed | null>(null);
  const [lost, setLost] = useState(false);
  const asked = useRef(filter);
  const read = async (from: string | null) => {
    try {
      const page = await api.listGames(filter, from);
      if (asked.current !== filter) return; // an answer to another filter that came late
      setListed((before) => {
        if (from) return { games: [...(before?.games ?? []), ...page.games], cursor: page.next_cursor };
        // Fresh news of the newest; what was listed below them stays.
        const newest = new Set(page.games.map((game) => game.id));
        const older = before && before.games.length > page.games.length ? before.games.slice(page.games.length).filter((game) => !newest.has(game.id)) : [];
        return { games: [...page.games, ...older], cursor: older.length ? before!.cursor : page.next_cursor };
      });
      setLost(false);
    } catch (fault) {
      if (!(fault instanceof Unreachable)) throw fault;
      setLost(true);
    }
  };
  useFresh(() => read(null), REFRESH_SECONDS, [filter]);
  const choose = (next: api.ListedState | null) => {
    asked.current = next;
    setListed(null);
    setFilter(next);
  };
  return (
    <>
      <div class="picks filters" role="group" aria-label={t('list.filter')}>
        {[null, ...FILTERS].map((one) => (
          <button key={one} type="button" class="pick" aria-pressed={filter === one} onClick={() => choose(one)}>{t(`list.filter.${one ?? 'all'}`)}</button>
        ))}
      </div>
      {lost && <p class="warn" role="status">{t('table.lost')}</p>}
      {listed && !listed.games.length && <p class="quiet">{t(`list.none.${filter ?? 'all'}`)}</p>}
      {listed && listed.games.length > 0 && (
        <ul class="game-list">{listed.games.map((game) => <GameLine key={game.id} line={game} mine={mySeats(game.id)} />)}</ul>
      )}
      {listed?.cursor && <button type="button" class="link" onClick={() => void read(listed.cursor)}>{t('home.more')}</button>}
    </>
  );
}
