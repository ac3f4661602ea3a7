import { useEffect } from 'preact/hooks';
import type { Analysis, Game } from '../api/types';
import { Flower } from '../art/Flower';
import { Dialog } from '../Dialog';
import { t } from '../i18n';
import { prospect } from '../play/advice';
import type { Session } from '../play/session';
import { spoken, story } from '../play/story';
import { Sentences } from '../table/Sentence';
import { Graph } from './Graph';
import type { Study } from './study';

interface Props { session: Session; study: Study; game: Game; onGo: (index: number) => void; onClose: () => void }

function Legend({ game }: { game: Game }) {
  if (game.mode === 'cooperative') return <p class="legend">{t('analysis.score')}</p>;
  return (
    <ul class="legend" aria-label={t('analysis.chances')}>
      {game.seats.map(({ seat, name }) => (
        <li key={seat} class={`of-${seat}`}>
          <svg class="stroke" viewBox="0 0 34 10" aria-hidden="true"><path class="line" d="M1 5H33" /></svg>
          <Flower seat={seat} />
          {name}
        </li>
      ))}
    </ul>
  );
}

function Chances({ session, game, analysis, onGo }: { session: Session; game: Game; analysis: Analysis; onGo: (index: number) => void }) {
  const together = game.mode === 'cooperative';
  const seats = together ? game.seats.slice(0, 1) : game.seats;
  return (
    <details class="more">
      <summary>{t('analysis.table')}</summary>
      <div class="chances" tabIndex={0} role="region" aria-label={t('analysis.chances')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('analysis.action')}</th>
              {seats.map((seat) => <th key={seat.seat} scope="col">{together ? t('analysis.score') : seat.name}</th>)}
            </tr>
          </thead>
          <tbody>
            {analysis.judgements.map((one) => {
              const entry = session.log.value[one.index];
              return (
                <tr key={one.index} class={one.better ? 'turned' : ''}>
                  <td>
                    <button type="button" class="link" onClick={() => onGo(one.index)}>
                      {one.index + 1}. {entry ? spoken(story(entry, (seat) => game.seats[seat]!.name).slice(0, 1)) : ''}
                    </button>
                  </td>
                  {seats.map(({ seat }) => <td key={seat}>{prospect(game.mode, one.after[seat]!)}</td>)}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}

export function AnalysisDialog({ session, study, game, onGo, onClose }: Props) {
  const analysis = study.analysis.value;
  const turning = study.turning.value;
  useEffect(() => study.ask(), [study]);
  return (
    <Dialog title={t('analysis.title')} class="analysis-dialog wide" onClose={onClose}>
      <div class="analysis" data-done={analysis?.done ?? false}>
        {!analysis?.done && (
          <p class="progress">
            <progress aria-label={t('analysis.title')} max={analysis?.actions ?? 1} value={analysis?.judgements.length ?? 0} />
            <span>{analysis ? t('analysis.progress', { done: analysis.judgements.length, all: analysis.actions }) : t('analysis.begins')}</span>
          </p>
        )}
        {analysis && (
          <>
            <Graph game={game} analysis={analysis} turning={turning} at={session.past.value?.index ?? game.actions_played} onGo={onGo} />
            <Legend game={game} />
            <h3>{t('analysis.turning')}</h3>
            {analysis.done && turning.length === 0 && <p class="quiet">{t('analysis.none')}</p>}
            <ol class="turning">
              {turning.map((turn) => {
                const told = study.verdict(game, turn);
                return (
                  <li key={turn.index} class={`by-${turn.seat}`}>
                    <button type="button" onClick={() => onGo(turn.index)}>
                      <span class="when">{turn.index + 1}</span>
                      {told ? (
                        <>
                          <span class="what">
                            <Sentences said={told.played} />. <span class="better">{t('analysis.better')} <Sentences said={told.better} /></span>
                          </span>
                          <b class="outlook">{told.change}</b>
                        </>
                      ) : (
                        <span class="what">…</span>
                      )}
                    </button>
                  </li>
                );
              })}
            </ol>
            <Chances session={session} game={game} analysis={analysis} onGo={onGo} />
          </>
        )}
      </div>
    </Dialog>
  );
}
