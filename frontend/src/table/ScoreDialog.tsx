import type { Game } from '../api/types';
import { Dialog } from '../Dialog';
import { t } from '../i18n';
import { useOnce } from '../once';
import { rematch } from '../play/plan';
import { mySeats, othersAt } from '../play/seats';
import type { Session } from '../play/session';
import { go, linkTo } from '../route';
import { sharing } from '../share/links';
import { Scoring } from './Scoring';

/** The old table tells people elsewhere of the rematch; the link to it serves those who have closed theirs. */
async function playAgain(game: Game): Promise<void> {
  const id = await rematch(game);
  if (othersAt(game) && game.next_game === null) sharing.value = id;
  go('game', id);
}

/** Goes to the rematch, or makes it. */
export function Again({ session, game }: { session: Session; game: Game }) {
  const [busy, once] = useOnce(game.next_game);
  if (!mySeats(game.id).length) return game.next_game && <a class="button" href={linkTo('game', game.next_game)}>{t('score.rematch.watch')}</a>;
  return (
    <button type="button" class="button main" disabled={busy} onClick={() => once(() => session.attempt(() => playAgain(game)))}>
      {t(game.next_game ? 'score.rematch.sit' : 'score.again')}
    </button>
  );
}

/** Tells that somebody wants to play again. */
export function Rematch({ session, game }: { session: Session; game: Game }) {
  return (
    <div class="outdated" role="status">
      <p>{t('score.rematch')}</p>
      <Again session={session} game={game} />
    </div>
  );
}

interface Props { session: Session; game: Game; mine: number[]; onAnalysis: () => void; onClose: () => void }

export function ScoreDialog({ session, game, mine, onAnalysis, onClose }: Props) {
  return (
    <Dialog title={t('score.title')} class="score" onClose={onClose}>
      <Scoring game={game} mine={mine} />
      <div class="buttons row">
        <Again session={session} game={game} />
        <button type="button" class="button quiet-button" onClick={onClose}>{t('score.look')}</button>
        <button type="button" class="button quiet-button" onClick={onAnalysis}>{t('analysis.title')}</button>
      </div>
    </Dialog>
  );
}
