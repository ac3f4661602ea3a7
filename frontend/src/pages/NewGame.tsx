import { useState } from 'preact/hooks';
import * as api from '../api/calls';
import { Refusal } from '../api/client';
import type { LevelInfo } from '../api/types';
import { forTime, has, language, levelName, t, tMaybe } from '../i18n';
import { alone, createPlanned, isPerson, keepPlan, KINDS, lastPlan, modeOf, usualName, usualSeats, type Kind, type Plan, type SeatPlan } from '../play/plan';
import { keepName } from '../play/seats';
import { rules } from '../play/rules';
import { go } from '../route';
import { sharing } from '../share/links';
import { BoardPicture } from './BoardPicture';

const ABSENCES = [5, 60, 24 * 60, 3 * 24 * 60];
const MOST_SEED = Number.MAX_SAFE_INTEGER;

/** How a level plays and how long it thinks. */
export const levelText = ({ name, seconds }: LevelInfo): string =>
  has(`level.${name}.text`) ? t(`level.${name}.text`, { seconds: seconds.toLocaleString(language.value) }) : '';

/** Why a call was refused or not answered, for somebody who only pressed a button. */
export const faultText = (fault: unknown): string =>
  fault instanceof Refusal ? tMaybe(`error.${fault.code}`, t('error.unknown', { code: fault.code })) : t('error.network');

function SeatRow({ seats, at, change }: { seats: SeatPlan[]; at: number; change: (part: Partial<SeatPlan>) => void }) {
  const { levels } = rules.value!;
  const seat = seats[at]!;
  const level = levels.find((one) => one.name === seat.player);
  return (
    <div class="seat-row">
      <select
        aria-label={t('new.player', { number: at + 1 })}
        aria-describedby={`seat-text-${at}`}
        value={seat.player}
        onChange={(event) => change({ player: event.currentTarget.value as api.SeatPlayer })}
      >
        <option value="human">{t('level.human')}</option>
        <option value="open">{t('level.open')}</option>
        {levels.map((one) => <option key={one.name} value={one.name}>{levelName(one.name)}</option>)}
      </select>
      <input
        aria-label={t('new.name', { number: at + 1 })}
        placeholder={usualName(seats, at)}
        maxLength={40}
        value={seat.name}
        onInput={(event) => change({ name: event.currentTarget.value })}
      />
      <small id={`seat-text-${at}`}>{level ? levelText(level) : seat.player === 'open' ? t('level.open.text') : ''}</small>
    </div>
  );
}

export function CooperativeOptions({ options, change }: { options: Plan['options']; change: (options: Plan['options']) => void }) {
  const chosen = options as Record<string, string | boolean | undefined>;
  return (
    <fieldset class="options">
      <legend>{t('new.options')}</legend>
      {rules.value!.options.options.map((option) => {
        const name = tMaybe(`option.${option.name}`, option.name);
        return (
          <div key={option.name} class="option">
            <b>{name}</b>
            <div class="picks" role="group" aria-label={name}>
              {option.values.map((value) => (
                <button
                  key={String(value)}
                  type="button"
                  class="pick"
                  aria-pressed={(chosen[option.name] ?? option.default) === value}
                  onClick={() => change({ ...options, [option.name]: value })}
                >
                  {tMaybe(`option.${option.name}.${String(value)}`, String(value))}
                </button>
              ))}
            </div>
            <small>{tMaybe(`option.${option.name}.text`, '')}</small>
          </div>
        );
      })}
    </fieldset>
  );
}

export function NewGame() {
  const { boards, levels, options: optionRules } = rules.value!;
  const [plan, setPlan] = useState<Plan>(lastPlan);
  const [seed, setSeed] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { kind, seats } = plan;
  const change = (part: Partial<Plan>) => setPlan({ ...plan, ...part });
  const counts = kind === 'solo' ? [1] : optionRules.seats[modeOf(kind)].filter((count) => count > 1);
  const choose = (next: Kind) => {
    const count = next === 'solo' ? 1 : Math.max(2, seats.length);
    change({ kind: next, seats: [...seats, ...usualSeats(4).slice(seats.length)].slice(0, count) });
  };
  const seedFine = seed === '' || (/^\d{1,16}$/.test(seed) && Number(seed) <= MOST_SEED);
  const hintsOf = alone(seats) ? 'hintsAlone' : 'hintsTogether';
  const start = async (event: Event) => {
    event.preventDefault();
    if (!seedFine) return setFault(t('new.seed.bad', { most: MOST_SEED }));
    if (seats[0]!.player === 'human') keepName(seats[0]!.name.trim());
    keepPlan(plan);
    setBusy(true);
    setFault(null);
    try {
      const id = await createPlanned(plan, seed === '' ? null : Number(seed));
      if (seats.some((seat) => seat.player === 'open')) sharing.value = id;
      go('game', id);
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <form class="sheet new-game" onSubmit={start}>
      <h1>{t('new.title')}</h1>
      <fieldset class="kinds">
        <legend>{t('new.mode')}</legend>
        {KINDS.map((one) => (
          <label key={one} class={`tile${kind === one ? ' chosen' : ''}`}>
            <input type="radio" name="mode" value={one} checked={kind === one} onChange={() => choose(one)} />
            <b>{t(`mode.${one}`)}</b>
            <span>{t(`mode.${one}.text`)}</span>
          </label>
        ))}
      </fieldset>
      <fieldset class="seats">
        <legend>{t('new.seats')}</legend>
        {counts.length > 1 && (
          <div class="counts" role="group" aria-label={t('new.count')}>
            {counts.map((count) => (
              <button
                key={count}
                type="button"
                class="pick"
                aria-pressed={seats.length === count}
                onClick={() => change({ seats: [...seats, ...usualSeats(4).slice(seats.length)].slice(0, count) })}
              >
                {count}
              </button>
            ))}
          </div>
        )}
        {seats.map((_, at) => (
          <SeatRow key={at} seats={seats} at={at} change={(part) => change({ seats: seats.map((seat, one) => (one === at ? { ...seat, ...part } : seat)) })} />
        ))}
        <details class="more levels">
          <summary>{t('new.levels')}</summary>
          <p class="quiet">{t('new.level.hint')}</p>
          <dl>
            {levels.map((level) => (
              <div key={level.name}>
                <dt>{levelName(level.name)}</dt>
                <dd>{levelText(level)}</dd>
              </div>
            ))}
          </dl>
        </details>
        {seats.some(isPerson) && (
          <label class="check">
            <input type="checkbox" checked={plan[hintsOf]} onChange={(event) => change({ [hintsOf]: event.currentTarget.checked })} />
            <span>{t('new.hints')} <small>{t('new.hints.text')}</small></span>
          </label>
        )}
        {seats.filter(isPerson).length > 1 && (
          <label class="field">
            {t('absent.plan')}
            <select value={plan.absence ?? ''} onChange={(event) => change({ absence: event.currentTarget.value ? Number(event.currentTarget.value) : null })}>
              {ABSENCES.map((minutes) => <option key={minutes} value={minutes}>{t('absent.after', { time: forTime(minutes) })}</option>)}
              <option value="">{t('absent.never')}</option>
            </select>
            <small>{t('absent.plan.text')}</small>
          </label>
        )}
      </fieldset>
      {kind !== 'competitive' && <CooperativeOptions options={plan.options} change={(options) => change({ options })} />}
      <details class="more">
        <summary>{t('new.more')}</summary>
        <fieldset class="boards">
          <legend>{t('new.board')}</legend>
          {boards.map((one) => (
            <label key={one.name} class={`tile${plan.board === one.name ? ' chosen' : ''}`}>
              <input type="radio" name="board" value={one.name} checked={plan.board === one.name} onChange={() => change({ board: one.name })} />
              <BoardPicture board={one} />
              <b>{tMaybe(`board.${one.name}`, one.name)}</b>
            </label>
          ))}
        </fieldset>
        <label class="field">
          {t('new.seed')}
          <input inputMode="numeric" value={seed} aria-invalid={!seedFine} onInput={(event) => setSeed(event.currentTarget.value.trim())} />
          <small>{t('new.seed.hint')}</small>
        </label>
        <label class="check">
          <input type="checkbox" checked={plan.public} onChange={(event) => change({ public: event.currentTarget.checked })} />
          {t('new.public')}
        </label>
      </details>
      {fault && <p class="warn" role="alert">{fault}</p>}
      <button type="submit" class="button main" disabled={busy}>{busy ? t('new.starting') : t('new.start')}</button>
    </form>
  );
}
