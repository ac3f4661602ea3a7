import { useState } from 'preact/hooks';
import * as api from '../api/calls';
import { Refusal } from '../api/client';
import type { Game, Mode, Options } from '../api/types';
import { levelName, t, tMaybe } from '../i18n';
import { rules } from '../play/rules';
import { keepTokens } from '../play/seats';
import { go } from '../route';
import { BoardPicture } from './BoardPicture';

const NAME_KEY = 'stem-branch.name';
const MOST_SEED = Number.MAX_SAFE_INTEGER;

interface SeatPlan { name: string; player: api.SeatPlayer }

/** Creates the game and keeps its tokens; answers with its id. */
async function create(body: api.NewGame): Promise<string> {
  const { id, tokens } = await api.createGame(body);
  keepTokens(id, tokens);
  return id;
}

/** The same seats, options and board once more, with a fresh deal. */
export const rematch = (game: Game): Promise<string> =>
  create({
    mode: game.mode,
    seats: game.seats.map(({ name, player }) => ({ name, player: player as api.SeatPlayer })),
    options: game.options,
    board: game.board as api.NewGame['board'],
    public: game.public,
  });

const usual = (mode: Mode, count: number): SeatPlan[] =>
  Array.from({ length: count }, (_, at) =>
    at === 0
      ? { name: localStorage.getItem(NAME_KEY) ?? '', player: 'human' as const }
      : { name: '', player: mode === 'competitive' || count > 1 ? ('average' as const) : ('human' as const) },
  );

/** A seat's name when its field is left empty. */
function usualName(seats: SeatPlan[], at: number): string {
  const { player } = seats[at]!;
  const human = (seat: SeatPlan) => seat.player === 'human';
  if (player === 'human') return t('new.guest', { number: seats.slice(0, at + 1).filter(human).length });
  if (player === 'open') return t('new.guest', { number: at + 1 });
  const rivals = seats.filter((seat) => seat.player !== 'human' && seat.player !== 'open').length;
  return rivals === 1 ? levelName(player) : t('new.rival', { number: seats.slice(0, at + 1).filter((seat) => seat.player !== 'human' && seat.player !== 'open').length });
}

type Kind = 'competitive' | 'solo' | 'cooperative';
const KINDS: Kind[] = ['competitive', 'solo', 'cooperative'];

export function NewGame() {
  const { boards, levels, options: optionRules } = rules.value!;
  const [kind, setKind] = useState<Kind>('competitive');
  const [seats, setSeats] = useState<SeatPlan[]>(usual('competitive', 2));
  const [options, setOptions] = useState<Options>({});
  const [board, setBoard] = useState(boards.find((one) => one.default)?.name ?? boards[0]!.name);
  const [seed, setSeed] = useState('');
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const mode: Mode = kind === 'competitive' ? 'competitive' : 'cooperative';
  const counts = kind === 'solo' ? [1] : optionRules.seats[mode].filter((count) => count > 1);
  const choose = (next: Kind) => {
    setKind(next);
    setSeats(usual(next === 'competitive' ? 'competitive' : 'cooperative', next === 'solo' ? 1 : 2));
  };
  const change = (at: number, part: Partial<SeatPlan>) =>
    setSeats(seats.map((seat, one) => (one === at ? { ...seat, ...part } : seat)));
  const seedFine = seed === '' || (/^\d{1,16}$/.test(seed) && Number(seed) <= MOST_SEED);
  const start = async (event: Event) => {
    event.preventDefault();
    if (!seedFine) return setFault(t('new.seed.bad', { most: MOST_SEED }));
    if (seats[0]!.player === 'human') localStorage.setItem(NAME_KEY, seats[0]!.name.trim());
    setBusy(true);
    setFault(null);
    try {
      const id = await create({
        mode,
        seats: seats.map((seat, at) => ({ name: seat.name.trim() || usualName(seats, at), player: seat.player })),
        board: board as api.NewGame['board'],
        public: open,
        ...(mode === 'cooperative' ? { options } : {}),
        ...(seed === '' ? {} : { seed: Number(seed) }),
      });
      go('game', id);
    } catch (error) {
      setFault(error instanceof Refusal ? tMaybe(`error.${error.code}`, t('error.unknown', { code: error.code })) : t('error.network'));
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
                onClick={() => setSeats([...seats, ...usual(mode, 4).slice(seats.length)].slice(0, count))}
              >
                {count}
              </button>
            ))}
          </div>
        )}
        {seats.map((seat, at) => (
          <div key={at} class="seat-row">
            <select aria-label={t('new.player', { number: at + 1 })} value={seat.player} onChange={(event) => change(at, { player: event.currentTarget.value as api.SeatPlayer })}>
              <option value="human">{t('level.human')}</option>
              <option value="open">{t('level.open')}</option>
              {levels.map((level) => (
                <option key={level.name} value={level.name}>{levelName(level.name)}</option>
              ))}
            </select>
            <input
              aria-label={t('new.name', { number: at + 1 })}
              placeholder={usualName(seats, at)}
              maxLength={40}
              value={seat.name}
              onInput={(event) => change(at, { name: event.currentTarget.value })}
            />
          </div>
        ))}
        <p class="quiet">{t('new.level.hint')}</p>
      </fieldset>
      {mode === 'cooperative' && (
        <fieldset class="options">
          <legend>{t('new.options')}</legend>
          {optionRules.options.map((option) => {
            const now = (options as Record<string, string | boolean | undefined>)[option.name] ?? option.default;
            return (
              <div key={option.name} class="option">
                <b>{tMaybe(`option.${option.name}`, option.name)}</b>
                <div class="picks" role="group" aria-label={tMaybe(`option.${option.name}`, option.name)}>
                  {option.values.map((value) => (
                    <button
                      key={String(value)}
                      type="button"
                      class="pick"
                      aria-pressed={now === value}
                      onClick={() => setOptions({ ...options, [option.name]: value })}
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
      )}
      <details class="more">
        <summary>{t('new.more')}</summary>
        <fieldset class="boards">
          <legend>{t('new.board')}</legend>
          {boards.map((one) => (
            <label key={one.name} class={`tile${board === one.name ? ' chosen' : ''}`}>
              <input type="radio" name="board" value={one.name} checked={board === one.name} onChange={() => setBoard(one.name)} />
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
          <input type="checkbox" checked={open} onChange={(event) => setOpen(event.currentTarget.checked)} />
          {t('new.public')}
        </label>
      </details>
      {fault && <p class="warn" role="alert">{fault}</p>}
      <button type="submit" class="button main" disabled={busy}>{busy ? t('new.starting') : t('new.start')}</button>
    </form>
  );
}
