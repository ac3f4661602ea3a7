import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/calls';
import { day, moment, rankName, t, tCount } from '../i18n';
import { beginDaily, dayBefore, history, scoreOf, settleAll, streak, today, tryText } from '../play/daily';
import { rules } from '../play/rules';
import { go, linkTo } from '../route';
import { faultText } from './NewGame';

const DAYS_SHOWN = 14;
const MOST_POINTS = 60;

const height = (score: number) => `${(score / MOST_POINTS) * 100}%`;

/** The last fortnight's first tries as columns before the scale of ranks. */
function Fortnight({ date }: { date: string }) {
  const days = Array.from({ length: DAYS_SHOWN }, (_, at) => dayBefore(date, DAYS_SHOWN - 1 - at));
  return (
    <div class="fortnight">
      <ul class="rank-lines" aria-hidden="true">
        {rules.value!.options.ranks.map(({ name, from }) => <li key={name} style={{ bottom: height(from) }}>{rankName(name)}</li>)}
      </ul>
      <ol aria-label={t('daily.fortnight')}>
        {days.map((one) => {
          const score = scoreOf(history.value, one);
          return (
            <li key={one} class={one === date ? 'today' : ''}>
              <span class="sr-only">{day(one)}: {score ? tryText(score) : t('daily.none')}</span>
              <b aria-hidden="true">{score?.score}</b>
              <i aria-hidden="true" class={score ? '' : 'none'} style={{ height: height(score?.score ?? 0) }} />
              <small aria-hidden="true">{Number(one.slice(8))}</small>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

export function Daily() {
  const [deal, setDeal] = useState<api.DailyDeal | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void settleAll();
    api.askDaily().then(setDeal, (error: unknown) => setFault(faultText(error)));
  }, []);
  const date = deal?.date ?? today();
  const tries = history.value[date] ?? [];
  const last = tries.at(-1);
  const scores = Object.keys(history.value).flatMap((one) => scoreOf(history.value, one)?.score ?? []);
  const days = streak(history.value, date);
  const begin = async () => {
    setBusy(true);
    try {
      go('game', await beginDaily(deal!));
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <div class="sheet daily">
      <h1>{t('nav.daily')}</h1>
      <p class="lead">{t('daily.text')}</p>
      <section class="today-deal">
        <h2>{day(date)}</h2>
        {tries.length > 0 && (
          <ol class="tries">
            {tries.map((one, at) => (
              <li key={one.id}>
                <span>{at ? t('daily.try', { number: at + 1 }) : t('daily.first')}</span>
                <a href={linkTo('game', one.id)}>{tryText(one)}</a>
              </li>
            ))}
          </ol>
        )}
        {last && last.score === null && <a class="button main" href={linkTo('game', last.id)}>{t('daily.continue')}</a>}
        {deal && (!last || last.score !== null) && (
          <button type="button" class={`button ${last ? 'quiet-button' : 'main'}`} disabled={busy} onClick={begin}>{t(last ? 'daily.again' : 'daily.start')}</button>
        )}
        {last && last.score !== null && <p class="quiet">{t('daily.again.text')}</p>}
        {fault && <p class="warn" role="alert">{fault}</p>}
        {deal && <p class="quiet">{t('daily.next', { when: moment(deal.next_at) })}</p>}
      </section>
      <section>
        <h2>{t('daily.fortnight')}</h2>
        <Fortnight date={date} />
        {scores.length > 0 && (
          <p class="daily-sums">
            <span>{tCount('daily.streak', days)}</span>
            <span>{t('daily.best', { score: Math.max(...scores) })}</span>
            <span>{t('daily.mean', { score: Math.round(scores.reduce((sum, one) => sum + one, 0) / scores.length) })}</span>
          </p>
        )}
        <p class="quiet">{t('daily.local')}</p>
      </section>
    </div>
  );
}
