import { useState } from 'preact/hooks';
import { Refusal, Unreachable } from '../api/client';
import type { LadderRead, LadderStanding } from '../api/types';
import { moment, number, t, tMaybe } from '../i18n';
import { useFresh } from '../pages/fresh';
import { linkTo } from '../route';
import { admin } from './admin';
import { changeLadder, readLadder, type Change } from './calls';
import { Matches } from './Matches';
import { RatingChart } from './RatingChart';

const CHANGES: Record<LadderRead['state'], Change[]> = {
  running: ['pause', 'stop'], paused: ['resume', 'stop'], stuck: ['resume', 'stop'], stopped: [], done: [],
};

function Standings({ ladder }: { ladder: LadderRead }) {
  const coop = ladder.mode === 'cooperative';
  const faults = (line: LadderStanding): number => line.faults.crashed + line.faults.illegal + line.faults.silent;
  return (
    <div class="wide-table" tabIndex={0} role="region" aria-label={t('ladder.standings')}>
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">{t('score.player')}</th>
            <th scope="col">{ladder.method === 'mean score' ? t('ladder.mean.score') : ladder.method}</th>
            <th scope="col">{t('ladder.count')}</th>
            {!coop && <th scope="col">{t('ladder.won')}</th>}
            <th scope="col">{t('ladder.seconds')}</th>
            <th scope="col">{t('ladder.faults')}</th>
          </tr>
        </thead>
        <tbody>
          {ladder.standings.map((line) => (
            <tr key={line.name}>
              <th scope="row">{line.name}</th>
              <td>{number(line.rating, coop ? 1 : 0)} ± {number((line.high - line.low) / 2, coop ? 1 : 0)}</td>
              <td>{number(line.games)}</td>
              {!coop && <td>{number(line.wins, line.wins % 1 ? 1 : 0)}</td>}
              <td>{number(line.seconds_per_action, 3)}</td>
              <td>{number(faults(line))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Pairings({ ladder }: { ladder: LadderRead }) {
  const names = ladder.standings.map((line) => line.name);
  const of = (mine: string, theirs: string) => ladder.pairings.find((one) => one.player === mine && one.against === theirs);
  return (
    <>
      <h2>{t('ladder.pairings')}</h2>
      <p class="quiet">{t('ladder.pairings.text')}</p>
      <div class="wide-table" tabIndex={0} role="region" aria-label={t('ladder.pairings')}>
        <table class="scores pairings">
          <thead>
            <tr>
              <td />
              {names.map((name) => <th key={name} scope="col">{name}</th>)}
            </tr>
          </thead>
          <tbody>
            {names.map((mine) => (
              <tr key={mine}>
                <th scope="row">{mine}</th>
                {names.map((theirs) => {
                  const pair = of(mine, theirs);
                  return <td key={theirs}>{pair ? `${number(pair.won, pair.won % 1 ? 1 : 0)} / ${pair.games}` : '–'}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** One ladder, as it stands. */
export function Ladder({ id }: { id: string }) {
  const [ladder, setLadder] = useState<LadderRead | null>(null);
  const [problem, setProblem] = useState('');
  const read = async () => {
    try {
      setLadder(await readLadder(id));
      setProblem('');
    } catch (fault) {
      if (fault instanceof Refusal) setProblem(tMaybe(`error.${fault.code}`, t('error.network')));
      else if (fault instanceof Unreachable) setProblem(t('table.lost'));
      else throw fault;
    }
  };
  useFresh(read, (ladder?.poll_after_ms ?? 2000) / 1000, [id, ladder?.poll_after_ms]);
  const change = async (what: Change) => {
    try {
      await changeLadder(id, what, admin.value);
      await read();
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault;
      setProblem(tMaybe(`error.${fault.code}`, t('error.network')));
    }
  };
  return (
    <div class="sheet ladder">
      <p><a href={linkTo('ladders')}>{t('ladder.all')}</a></p>
      {problem && <p class="warn" role="alert">{problem}</p>}
      {ladder && (
        <>
          <h1>{ladder.name}</h1>
          <p class="quiet">
            {t(`mode.${ladder.mode}`)} · {t('ladder.seats', { count: ladder.seats })} · {t('ladder.seed', { seed: ladder.seed })} · {moment(ladder.created_at)}
          </p>
          <p class="ladder-state" data-state={ladder.state} role="status">
            <b>{t(`ladder.state.${ladder.state}`)}</b>
            <progress max={ladder.matches} value={ladder.played} aria-label={t('ladder.progress', { played: ladder.played, matches: ladder.matches })} />
            <span>{t('ladder.progress', { played: ladder.played, matches: ladder.matches })}</span>
          </p>
          {ladder.state === 'running' && ladder.workers === 0 && <p class="warn">{t('ladder.no-workers')}</p>}
          {admin.value && CHANGES[ladder.state].length > 0 && (
            <div class="picks">
              {CHANGES[ladder.state].map((what) => (
                <button key={what} type="button" class="button quiet-button" onClick={() => change(what)}>{t(`ladder.${what}`)}</button>
              ))}
            </div>
          )}
          {ladder.standings.length > 0 && (
            <>
              <h2>{t('ladder.standings')}</h2>
              <RatingChart standings={ladder.standings.filter((line) => line.games > 0)} method={ladder.method ?? ''} />
              <p class="quiet">{t('ladder.interval')}</p>
              <Standings ladder={ladder} />
              {ladder.pairings.length > 0 && <Pairings ladder={ladder} />}
              <Matches id={id} played={ladder.played} />
            </>
          )}
        </>
      )}
    </div>
  );
}
