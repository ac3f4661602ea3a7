import { useState } from 'preact/hooks';
import { Refusal, Unreachable } from '../api/client';
import { levelName, t, tMaybe } from '../i18n';
import { useOnce } from '../once';
import { CooperativeOptions } from '../pages/NewGame';
import { rules } from '../play/rules';
import { go } from '../route';
import { admin, setAdmin } from './admin';
import { beginLadder } from './calls';
import { AMOUNTS, fewest, firstPlan, MOST_GAMES, MOST_PLAYERS, MOST_SEED, request, usually, type Budget, type Entrant, type Plan } from './plan';

const MODES: Plan['mode'][] = ['competitive', 'cooperative'];

function EntrantRow({ at, entrant, bots, change, remove }: {
  at: number; entrant: Entrant; bots: string[]; change: (entrant: Entrant) => void; remove: (() => void) | null;
}) {
  const { levels } = rules.value!;
  // Levels that do not search take no budget, and a bot's is its time.
  const budgets: Budget[] = bots.includes(entrant.player) ? ['usual', 'seconds']
    : levels.find((level) => level.name === entrant.player)?.kind === 'search' ? ['usual', 'seconds', 'iterations'] : ['usual'];
  const limits = entrant.budget === 'usual' ? null : AMOUNTS[entrant.budget];
  return (
    <div class="entrant" role="group" aria-label={t('ladder.player', { number: at + 1 })}>
      <select aria-label={t('score.player')} value={entrant.player} onChange={(event) => change(usually(event.currentTarget.value))}>
        <optgroup label={t('ladder.levels')}>
          {levels.map(({ name }) => <option key={name} value={name}>{levelName(name)}</option>)}
        </optgroup>
        {bots.length > 0 && (
          <optgroup label={t('ladder.bots')}>
            {bots.map((name) => <option key={name} value={name}>{name}</option>)}
          </optgroup>
        )}
      </select>
      {budgets.length > 1 && (
        <select
          aria-label={t('ladder.budget')}
          value={entrant.budget}
          onChange={(event) => {
            const budget = event.currentTarget.value as Budget;
            change({ ...entrant, budget, amount: budget === 'usual' ? 0 : AMOUNTS[budget].usual });
          }}
        >
          {budgets.map((budget) => <option key={budget} value={budget}>{t(`ladder.budget.${budget}`)}</option>)}
        </select>
      )}
      {limits && (
        <input
          type="number"
          aria-label={t(`ladder.budget.${entrant.budget}`)}
          required
          min={limits.min}
          max={limits.max}
          step={limits.step}
          value={entrant.amount}
          onInput={(event) => change({ ...entrant, amount: event.currentTarget.valueAsNumber })}
        />
      )}
      {remove && <button type="button" class="link" onClick={remove}>{t('ladder.remove')}</button>}
    </div>
  );
}

/** For whoever runs the server: begins a ladder between levels and the bots that the server names. */
export function LadderForm({ bots }: { bots: string[] }) {
  const { seats: counts } = rules.value!.options;
  const [plan, setPlan] = useState(firstPlan);
  const [problem, setProblem] = useState('');
  const { mode, seats, entrants } = plan;
  const change = (part: Partial<Plan>) => setPlan({ ...plan, ...part });
  const chooseMode = (next: Plan['mode']) => change({ mode: next, seats: counts[next].includes(seats) ? seats : counts[next][0]! });
  const [busy, once] = useOnce();
  const begin = (event: Event) => {
    event.preventDefault();
    setProblem('');
    void once(async () => {
      try {
        const { id } = await beginLadder(request(plan), admin.value);
        go('ladders', id);
        return true;
      } catch (fault) {
        if (fault instanceof Refusal) {
          const params = Object.fromEntries(Object.entries(fault.params).map(([name, value]) => [name, String(value)]));
          setProblem(tMaybe(`error.${fault.code}`, t('error.unknown', { code: fault.code }), params));
        } else if (fault instanceof Unreachable) setProblem(t('error.network'));
        else reportError(fault);
        return false;
      }
    });
  };
  return (
    <details class="ladder-form">
      <summary>{t('ladder.new')}</summary>
      <form onSubmit={begin}>
        <label class="field">
          {t('ladder.token')}
          <input type="password" required autocomplete="off" value={admin.value} onInput={(event) => setAdmin(event.currentTarget.value)} />
          <small class="quiet">{t('ladder.token.text')}</small>
        </label>
        <div class="picks" role="group" aria-label={t('new.mode')}>
          {MODES.map((one) => (
            <button key={one} type="button" class="pick" aria-pressed={mode === one} onClick={() => chooseMode(one)}>{t(`mode.${one}`)}</button>
          ))}
        </div>
        <label class="field">
          {t('ladder.table')}
          <select value={seats} onChange={(event) => change({ seats: Number(event.currentTarget.value) })}>
            {counts[mode].map((count) => <option key={count} value={count}>{t('ladder.seats', { count })}</option>)}
          </select>
        </label>
        <fieldset>
          <legend>{t('ladder.players')}</legend>
          {entrants.map((entrant, at) => (
            <EntrantRow
              key={at}
              at={at}
              entrant={entrant}
              bots={bots}
              change={(next) => change({ entrants: entrants.map((one, place) => (place === at ? next : one)) })}
              remove={entrants.length > fewest(plan) ? () => change({ entrants: entrants.filter((_, place) => place !== at) }) : null}
            />
          ))}
          {entrants.length < MOST_PLAYERS && (
            <button type="button" class="button quiet-button small" onClick={() => change({ entrants: [...entrants, usually('strong')] })}>
              {t('ladder.add')}
            </button>
          )}
          <p class="quiet">{t('ladder.budget.text')}</p>
        </fieldset>
        {mode === 'competitive' ? (
          <label class="field">
            {t('ladder.pairing')}
            <select value={String(plan.gauntlet)} onChange={(event) => change({ gauntlet: event.currentTarget.value === 'true' })}>
              <option value="false">{t('ladder.round-robin')}</option>
              <option value="true">{t('ladder.gauntlet')}</option>
            </select>
          </label>
        ) : (
          <CooperativeOptions options={plan.options} change={(options) => change({ options })} />
        )}
        <label class="field">
          {t('ladder.count')}
          <input type="number" min="1" max={MOST_GAMES} required value={plan.games} onInput={(event) => change({ games: event.currentTarget.valueAsNumber })} />
        </label>
        <label class="field">
          {t('new.seed')}
          <input type="number" min="0" max={MOST_SEED} required value={plan.seed} onInput={(event) => change({ seed: event.currentTarget.valueAsNumber })} />
          <small class="quiet">{t('ladder.seed.text')}</small>
        </label>
        {entrants.length < fewest(plan) && <p class="warn" role="status">{t('ladder.too-few', { count: fewest(plan) })}</p>}
        {problem && <p class="warn" role="alert">{problem}</p>}
        <button type="submit" class="button main" disabled={busy || entrants.length < fewest(plan)}>{t('ladder.begin')}</button>
      </form>
    </details>
  );
}
