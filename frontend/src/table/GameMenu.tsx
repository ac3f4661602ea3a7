import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import * as api from '../api/calls';
import type { Game } from '../api/types';
import { Dialog } from '../Dialog';
import { levelName, t } from '../i18n';
import { useOnce } from '../once';
import { rules } from '../play/rules';
import { dropToken, mySeats, tokenOf } from '../play/seats';
import type { Session } from '../play/session';
import { characterKeys, confirming, sounding } from '../play/settings';
import { sharing } from '../share/links';
import { Switches } from '../Switches';
import { Join } from './Join';

async function saveRecord(session: Session, game: Game): Promise<void> {
  const record = await api.readRecord(game.id, tokenOf(game.id, session.eyes.peek()));
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(record, null, 1)}\n`], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: `stem-branch-${game.id}.json` });
  link.click();
  URL.revokeObjectURL(url);
}

function Leave({ session, game, seat }: { session: Session; game: Game; seat: number }) {
  const [replacement, setReplacement] = useState<api.Replacement>('good');
  const [busy, once] = useOnce(game.version);
  const leave = () => once(() => session.attempt(async () => {
    await api.leaveSeat(game.id, tokenOf(game.id, seat), seat, replacement);
    dropToken(game.id, seat);
    session.lookThrough(mySeats(game.id)[0] ?? null);
  }));
  return (
    <details class="leave">
      <summary>{t('table.leave', { name: game.seats[seat]!.name })}</summary>
      <p>{t('table.leave.text')}</p>
      <label>
        {t('table.leave.to')}
        <select value={replacement} onChange={(event) => setReplacement(event.currentTarget.value as api.Replacement)}>
          {rules.value!.levels.map((level) => <option key={level.name} value={level.name}>{levelName(level.name)}</option>)}
        </select>
      </label>
      <button type="button" class="button quiet-button" disabled={busy} onClick={leave}>{t('table.leave.confirm')}</button>
    </details>
  );
}

function Setting({ of, label, text }: { of: Signal<boolean>; label: string; text: string }) {
  return (
    <label class="check setting">
      <input type="checkbox" checked={of.value} onChange={(event) => (of.value = event.currentTarget.checked)} />
      <span>{label} <small>{text}</small></span>
    </label>
  );
}

interface Props {
  session: Session; game: Game; lesson: boolean; onAnalysis: (() => void) | null; onClose: () => void; onOpen: (other: 'keys' | 'actions') => void;
}

export function GameMenu({ session, game, lesson, onAnalysis, onClose, onOpen }: Props) {
  const open = game.seats.some((seat) => seat.player === 'open');
  return (
    <Dialog title={t('table.menu')} onClose={onClose}>
      <Switches />
      <div class="menu">
        <Setting of={sounding} label={t('setting.sound')} text={t('setting.sound.text')} />
        <Setting of={confirming} label={t('setting.confirm')} text={t('setting.confirm.text')} />
        <Setting of={characterKeys} label={t('setting.keys')} text={t('setting.keys.text')} />
        {onAnalysis && <button type="button" class="button quiet-button" onClick={onAnalysis}>{t('analysis.title')}</button>}
        <button type="button" class="button quiet-button" onClick={() => session.attempt(() => saveRecord(session, game))}>{t('table.export')}</button>
        <button type="button" class="button quiet-button" onClick={() => { onClose(); sharing.value = game.id; }}>{t('share.title')}</button>
        <button type="button" class="button quiet-button" onClick={() => onOpen('actions')}>{t('actions.title')}</button>
        <button type="button" class="button quiet-button" onClick={() => onOpen('keys')}>{t('keys.title')}</button>
        {open && <Join session={session} game={game} />}
        {!game.over && !game.replay && !lesson && mySeats(game.id).map((seat) => <Leave key={seat} session={session} game={game} seat={seat} />)}
        {game.deal !== 'secret' && <p class="quiet">{t(`table.deal.${game.deal}`)}</p>}
      </div>
    </Dialog>
  );
}
