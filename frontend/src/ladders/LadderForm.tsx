import { useState } from 'preact/hooks';
import { Refusal } from '../api/client';
import { levelName, t, tMaybe } from '../i18n';
import { rules } from '../play/rules';
import { go } from '../route';
import { admin, setAdmin } from './admin';
import { beginLadder } from './calls';

/** For whoever runs the server: begins a ladder between levels. */
export function LadderForm() {
  const levels = rules.value!.levels.map((level) => level.name);
  const [players, setPlayers] = useState<string[]>(['beginner', 'average', 'good']);
  const [seats, setSeats] = useState(2);
  const [games, setGames] = useState(60);
  const [problem, setProblem] = useState('');
  const toggle = (name: string) =>
    setPlayers((before) => (before.includes(name) ? before.filter((one) => one !== name) : [...before, name]));
  const begin = async (event: Event) => {
    event.preventDefault();
    try {
      const inOrder = levels.filter((name) => players.includes(name));
      const { id } = await beginLadder({ players: inOrder.map((player) => ({ player })), mode: 'competitive', seats, games }, admin.value);
      go('ladders', id);
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault;
      const params = Object.fromEntries(Object.entries(fault.params).map(([name, value]) => [name, String(value)]));
      setProblem(tMaybe(`error.${fault.code}`, t('error.network'), params));
    }
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
        <fieldset>
          <legend>{t('ladder.players')}</legend>
          <div class="picks">
            {levels.map((name) => (
              <button key={name} type="button" class="pick" aria-pressed={players.includes(name)} onClick={() => toggle(name)}>{levelName(name)}</button>
            ))}
          </div>
        </fieldset>
        <label class="field">
          {t('ladder.table')}
          <select value={seats} onChange={(event) => setSeats(Number(event.currentTarget.value))}>
            {[2, 3, 4].map((count) => <option key={count} value={count}>{t('ladder.seats', { count })}</option>)}
          </select>
        </label>
        <label class="field">
          {t('ladder.count')}
          <input type="number" min="1" max="5000" required value={games} onInput={(event) => setGames(Number(event.currentTarget.value))} />
        </label>
        {problem && <p class="warn" role="alert">{problem}</p>}
        <button type="submit" class="button main" disabled={players.length < seats}>{t('ladder.begin')}</button>
      </form>
    </details>
  );
}
