import { useRef, useState } from 'preact/hooks';
import * as api from '../api/calls';
import { Refusal } from '../api/client';
import type { Game } from '../api/types';
import { t } from '../i18n';
import { forget, mySeats, shelf, tokenOf } from '../play/seats';
import { useFresh } from './fresh';
import { GameLine } from './GameLine';

const SHOWN_FIRST = 8;
const REFRESH_SECONDS = 15;

interface Read { game: Game; etag: string | null }

const waitsForMe = ({ game }: Read): boolean => game.seat_to_act !== null && mySeats(game.id).includes(game.seat_to_act);

/** Games kept on this device: those that wait for me, then the newest. One that the server no longer has is let go. */
export function MyGames() {
  const [shown, setShown] = useState(SHOWN_FIRST);
  const [lost, setLost] = useState(false);
  const [read, setRead] = useState<Record<string, Read> | null>(null);
  const known = useRef<Record<string, Read>>({});
  const all = Object.entries(shelf.value).sort((a, b) => b[1].opened.localeCompare(a[1].opened)).map(([id]) => id);
  const ids = all.slice(0, shown);
  useFresh(async () => {
    let unreachable = false;
    await Promise.all(ids.map(async (id) => {
      const before = known.current[id];
      if (before?.game.over) return;
      try {
        const { game, etag } = await api.readGame(id, tokenOf(id, mySeats(id)[0] ?? null), before?.etag);
        if (game) known.current[id] = { game, etag };
      } catch (fault) {
        if (!(fault instanceof Refusal)) unreachable = true;
        else if (fault.status === 404) forget(id);
      }
    }));
    setLost(unreachable);
    setRead({ ...known.current });
  }, REFRESH_SECONDS, [ids.join()]);
  if (!all.length) return <p class="quiet">{t('home.mine.none')}</p>;
  if (!read) return <p class="quiet">{t('app.loading')}</p>;
  const games = ids.flatMap((id) => read[id] ?? []);
  return (
    <>
      {lost && <p class="warn" role="status">{t('table.lost')}</p>}
      <ul class="game-list">
        {[...games.filter(waitsForMe), ...games.filter((one) => !waitsForMe(one))].map(({ game }) => (
          <GameLine key={game.id} line={game} mine={mySeats(game.id)} onForget={() => forget(game.id)} />
        ))}
      </ul>
      {all.length > shown && <button type="button" class="link" onClick={() => setShown(shown + SHOWN_FIRST)}>{t('home.more')}</button>}
    </>
  );
}
