import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/calls';
import type { Candidate, Choices, Game, View } from '../api/types';
import { t } from '../i18n';
import { advised, prospect } from '../play/advice';
import { draftOf } from '../play/choice';
import { tokenOf } from '../play/seats';
import type { Session } from '../play/session';
import { Sentences } from '../table/Sentence';

interface Props { session: Session; game: Game; view: View; choices: Choices; begun: boolean }

/**
 * The best few actions, when asked for. It only shows them: what is half chosen stays until one of them is picked.
 * It belongs to one version of one game and goes with it, and so does an answer that comes too late.
 */
export function Hint({ session, game, view, choices, begun }: Props) {
  const [asked, setAsked] = useState(false);
  const [found, setFound] = useState<Candidate[] | null>(null);
  const [listed, setListed] = useState(false);
  useEffect(() => {
    if (!asked || found) return;
    let gone = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (call: typeof api.askHint): Promise<void> => {
      try {
        const hint = await call(game.id, tokenOf(game.id, choices.seat));
        if (gone || hint.version !== game.version) return;
        if (hint.candidates) setFound(hint.candidates);
        else timer = setTimeout(() => void session.attempt(() => look(api.readHint)), hint.poll_after_ms ?? 0);
      } catch (fault) {
        if (gone) return;
        setAsked(false);
        throw fault;
      }
    };
    void session.attempt(() => look(api.askHint));
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [asked]);
  useEffect(() => setListed(!begun), [begun]);

  if (asked && !found) {
    return (
      <div class="hint">
        <p role="status">{t('hint.thinking')}</p>
        <button type="button" class="pick" onClick={() => setAsked(false)}>{t('hint.stop')}</button>
      </div>
    );
  }
  if (!found || !listed) {
    return (
      <div class="hint">
        <button type="button" class="pick hint-button" onClick={() => { setAsked(true); setListed(true); }}>
          <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2v3M7 5h10M6 8c-2 3-2 6 0 9h12c2-3 2-6 0-9zM7 20h10M12 20v3" /></svg>
          {t('hint.ask')}
        </button>
      </div>
    );
  }
  return (
    <div class="hint found">
      <p id="hint-list" class="hint-about">{t(game.mode === 'competitive' ? 'hint.list' : 'hint.list.coop')}</p>
      <ol class="hint-list" aria-labelledby="hint-list">
        {found.map((candidate, at) => (
          <li key={at}>
            <button
              type="button"
              class="pick"
              onClick={() => {
                session.change(draftOf(choices, candidate.action));
                setListed(false);
              }}
            >
              <span><Sentences said={advised(candidate.action, view, (seat) => game.seats[seat]!.name)} /></span>
              <b class="outlook">{prospect(game.mode, candidate.outlook[choices.seat]!)}</b>
              {at === 0 && <em class="best">{t('hint.best')}</em>}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
