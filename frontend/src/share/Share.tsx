import { useEffect, useRef, useState } from 'preact/hooks';
import type { Game } from '../api/types';
import { Dialog } from '../Dialog';
import { listOf, t } from '../i18n';
import { mySeats } from '../play/seats';
import { inviteLink, isLocal, seatLink } from './links';
import { QrCode } from './QrCode';

function LinkToHandOn({ link, name }: { link: string; name: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    field.current!.select();
    // Without a secure address there is no clipboard, only the older command.
    if (navigator.clipboard) await navigator.clipboard.writeText(link);
    else document.execCommand('copy');
    setCopied(true);
  };
  return (
    <div class="hand-on">
      <QrCode text={link} />
      <div class="hand-on-link">
        <input ref={field} readOnly aria-label={name} value={link} onFocus={(event) => event.currentTarget.select()} />
        <div class="picks">
          <button type="button" class="button" onClick={copy}>{t('share.copy')}</button>
          {'share' in navigator && (
            <button type="button" class="button quiet-button" onClick={() => void navigator.share({ title: t('app.title'), url: link }).catch(() => undefined)}>{t('share.send')}</button>
          )}
        </div>
        <p class="quiet" role="status">{copied && t('share.copied')}</p>
        {isLocal(link) && <p class="quiet">{t('share.local')}</p>}
      </div>
    </div>
  );
}

/** One link for everybody: whoever opens it takes a free seat, or watches. And for each own seat one to take along. */
export function Share({ game, onClose }: { game: Game; onClose: () => void }) {
  const [taken, setTaken] = useState<number | null>(null);
  useEffect(() => onClose, []); // whoever comes back to the table later is not asked to share again
  const nameOf = (seat: number) => game.seats[seat]!.name;
  const free = game.seats.filter((seat) => seat.player === 'open');
  if (taken !== null) {
    return (
      <Dialog key="seat" title={t('share.device.title', { name: nameOf(taken) })} class="share-dialog" onClose={onClose}>
        <p class="warn">{t('share.device.warning')}</p>
        <LinkToHandOn link={seatLink(game.id, taken)} name={t('share.device.link')} />
        <button type="button" class="button quiet-button" onClick={() => setTaken(null)}>{t('share.back')}</button>
      </Dialog>
    );
  }
  return (
    <Dialog key="invite" title={t(free.length ? 'share.title.join' : 'share.title')} class="share-dialog" onClose={onClose}>
      <p>{free.length ? t('share.join', { names: listOf(free.map((seat) => seat.name)) }) : t('share.watch')}</p>
      <LinkToHandOn link={inviteLink(game.id)} name={t('share.link')} />
      {!game.over && mySeats(game.id).map((seat) => (
        <button key={seat} type="button" class="link" onClick={() => setTaken(seat)}>
          {mySeats(game.id).length > 1 ? t('share.device.named', { name: nameOf(seat) }) : t('share.device')}
        </button>
      ))}
    </Dialog>
  );
}
