import { useState } from 'preact/hooks';
import type { Game, GameSummary } from '../api/types';
import { day, listOf, levelName, moment, rankName, t, tCount } from '../i18n';
import { dailyOf } from '../play/daily';
import { linkTo } from '../route';

export type Line = Pick<Game | GameSummary, 'id' | 'mode' | 'seats' | 'seat_to_act' | 'over' | 'result' | 'actions_played' | 'updated_at'> & Partial<Pick<Game, 'options' | 'replay'>>;

const kindOf = (line: Line) => (line.mode === 'competitive' ? 'competitive' : line.seats.length === 1 ? 'solo' : 'cooperative');

/** Who won, or how far the table came. */
function resultText(line: Line, mine: number[]): string {
  const { result } = line;
  if (!result) return t('home.over');
  if ('winners' in result) {
    const years = [...result.years].sort((a, b) => b - a).join(' : ');
    const won = mine.length === 1 && result.winners.join() === mine.join();
    return won ? t('list.won', { years }) : t('list.winner', { names: listOf(result.winners.map((seat) => line.seats[seat]!.name)), years });
  }
  if (line.options?.scoring === 'family') return tCount('score.coop.family', result.score);
  return result.rank ? t('list.score', { score: result.score, rank: rankName(result.rank) }) : t('score.coop', { score: result.score });
}

/** How a game stands: whose turn, or its result. */
function StateOf({ line, mine }: { line: Line; mine: number[] }) {
  if (line.replay) return <span class="state">{t('table.replay')}</span>;
  if (line.over) return <span class="state">{resultText(line, mine)}</span>;
  if (line.seats.some((seat) => seat.player === 'open')) return <span class="state free">{t('list.free')}</span>;
  if (line.seat_to_act === null) return null;
  if (mine.includes(line.seat_to_act)) return <strong class="badge">{t('home.yourturn')}</strong>;
  return <span class="state">{t('table.turn.other', { name: line.seats[line.seat_to_act]!.name })}</span>;
}

export function GameLine({ line, mine, onForget }: { line: Line; mine: number[]; onForget?: () => void }) {
  const daily = dailyOf(line.id);
  const [asked, setAsked] = useState(false);
  const open = line.seats.some((seat) => seat.player === 'open');
  const label = line.over || line.replay ? 'list.look' : mine.length ? 'home.open' : open ? 'home.join' : 'home.watch';
  return (
    <li class="game-line">
      <a href={linkTo('game', line.id)}>
        <b>{listOf(line.seats.map((seat) => (seat.player === 'human' || seat.player === 'open' || seat.name === levelName(seat.player) ? seat.name : `${seat.name} (${levelName(seat.player)})`)))}</b>
        <span>
          {daily ? t('daily.of', { date: day(daily.date) }) : t(`mode.${kindOf(line)}`)} · {!line.over && `${t('home.running', { count: line.actions_played })} · `}{moment(line.updated_at)}
        </span>
      </a>
      <StateOf line={line} mine={mine} />
      {asked ? (
        <span class="picks" role="group" aria-label={t('home.forget')}>
          <small>{t('list.forget.text')}</small>
          <button type="button" class="button small" onClick={onForget}>{t('list.forget.yes')}</button>
          <button type="button" class="button small quiet-button" onClick={() => setAsked(false)}>{t('act.cancel')}</button>
        </span>
      ) : (
        <>
          <a class="button small quiet-button" href={linkTo('game', line.id)}>{t(label)}</a>
          {onForget && (
            <button type="button" class="close" aria-label={t('home.forget')} title={t('home.forget')} onClick={line.over ? onForget : () => setAsked(true)}>
              <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6L18 18M18 6L6 18" /></svg>
            </button>
          )}
        </>
      )}
    </li>
  );
}
