import { useEffect } from 'preact/hooks';
import type { Game } from '../api/types';
import { day, t, tCount } from '../i18n';
import { dailyOf, history, settle, streak, today, tryText } from '../play/daily';
import { linkTo } from '../route';

/** At the end of a daily game: which deal it was, which try, and where it stands among the others. */
export function DailyEnd({ game }: { game: Game }) {
  const daily = dailyOf(game.id);
  useEffect(() => settle(game), [game.id]);
  if (!daily) return null;
  const first = history.value[daily.date]?.[0];
  return (
    <div class="daily-end">
      <p>
        <b>{t('daily.of', { date: day(daily.date) })}</b>
        {' · '}
        {daily.number > 1 ? t('daily.try', { number: daily.number }) : t('daily.first')}
      </p>
      {daily.number > 1 && first && <p>{t('daily.counts', { result: tryText(first) })}</p>}
      <p><a href={linkTo('daily')}>{tCount('daily.streak', streak(history.value, today()))}</a></p>
    </div>
  );
}
