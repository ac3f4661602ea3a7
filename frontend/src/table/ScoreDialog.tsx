import type { Game } from '../api/types';
import { Dialog } from '../Dialog';
import { t } from '../i18n';
import { rematch } from '../play/plan';
import { mySeats } from '../play/seats';
import type { Session } from '../play/session';
import { go } from '../route';
import { sharing } from '../share/links';
import { Scoring } from './Scoring';

/** A rematch; people elsewhere are sent the link to it. */
async function playAgain(game: Game): Promise<void> {
  const id = await rematch(game);
  const others = game.seats.some((seat) => seat.player === 'human' && !mySeats(game.id).includes(seat.seat));
  if (others) sharing.value = id;
  go('game', id);
}

interface Props { session: Session; game: Game; mine: number[]; onAnalysis: () => void; onClose: () => void }

export function ScoreDialog({ session, game, mine, onAnalysis, onClose }: Props) {
  return (
    <Dialog title={t('score.title')} class="score" onClose={onClose}>
      <Scoring game={game} mine={mine} />
      <div class="buttons row">
        {mine.length > 0 && <button type="button" class="button main" onClick={() => session.attempt(() => playAgain(game))}>{t('score.again')}</button>}
        <button type="button" class="button quiet-button" onClick={onClose}>{t('score.look')}</button>
        <button type="button" class="button quiet-button" onClick={onAnalysis}>{t('analysis.title')}</button>
      </div>
    </Dialog>
  );
}
