import { useState } from 'preact/hooks';
import * as api from '../api/calls';
import type { Game } from '../api/types';
import { t } from '../i18n';
import { useOnce } from '../once';
import { keepName, keepToken, myName } from '../play/seats';
import type { Session } from '../play/session';

/** Takes a free seat. */
export function Join({ session, game }: { session: Session; game: Game }) {
  const [name, setName] = useState(myName);
  const [busy, once] = useOnce(game.version);
  const free = game.seats.filter((seat) => seat.player === 'open');
  const [seat, setSeat] = useState(free[0]?.seat ?? 0);
  if (!free.length) return null;
  const join = (event: Event) => {
    event.preventDefault();
    keepName(name.trim());
    void once(() => session.attempt(async () => {
      const joined = await api.joinSeat(game.id, seat, name.trim() || t('new.guest', { number: seat + 1 }));
      keepToken(game.id, joined.seat, joined.token);
    }));
  };
  return (
    <form class="join" onSubmit={join}>
      <label>
        {t('table.join.name')}
        <input value={name} maxLength={40} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      {free.length > 1 && (
        <label>
          {t('table.join')}
          <select value={seat} onChange={(event) => setSeat(Number(event.currentTarget.value))}>
            {free.map((one) => <option key={one.seat} value={one.seat}>{one.name}</option>)}
          </select>
        </label>
      )}
      <button type="submit" class="button" disabled={busy}>{t('table.join.button')}</button>
    </form>
  );
}
