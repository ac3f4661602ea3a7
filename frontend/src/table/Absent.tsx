import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/calls';
import type { Game } from '../api/types';
import { inTime, levelName, t } from '../i18n';
import { useOnce } from '../once';
import { rules } from '../play/rules';
import { mySeats, tokenOf } from '../play/seats';
import type { Session } from '../play/session';

const LONGEST_TIMER_MS = 30_000;

/** Somebody elsewhere keeps the table waiting: how long still, and then the offer that a computer plays on. */
export function Absent({ session, game }: { session: Session; game: Game }) {
  const [replacement, setReplacement] = useState<api.Replacement>('good');
  const [busy, once] = useOnce(game.version);
  const [now, setNow] = useState(Date.now);
  const left = game.absent_at === null ? Infinity : Date.parse(game.absent_at) - now;
  useEffect(() => {
    if (left <= 0 || left === Infinity) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left + 50, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }, [left]);
  const seat = game.seat_to_act;
  const mine = mySeats(game.id);
  if (left === Infinity || seat === null || !mine.length || mine.includes(seat)) return null;
  const { name } = game.seats[seat]!;
  if (left > 0) return <p class="quiet absent">{t('absent.wait', { name, when: inTime(left) })}</p>;
  const replace = () => once(() => session.attempt(async () => {
    await api.replaceSeat(game.id, tokenOf(game.id, mine[0]!), seat, replacement);
    await session.tick();
  }));
  return (
    <div class="absent" role="group" aria-label={t('absent.offer', { name })}>
      <p>{t('absent.offer', { name })}</p>
      <div class="picks">
        <select aria-label={t('table.leave.to')} value={replacement} onChange={(event) => setReplacement(event.currentTarget.value as api.Replacement)}>
          {rules.value!.levels.map((level) => <option key={level.name} value={level.name}>{levelName(level.name)}</option>)}
        </select>
        <button type="button" class="button small" disabled={busy} onClick={replace}>{t('absent.replace')}</button>
      </div>
    </div>
  );
}
