import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CardName, Game, View } from '../api/types';
import { Dialog } from '../Dialog';
import { cardName, t, tCount, tMaybe } from '../i18n';
import * as choice from '../play/choice';
import { boardInfo, rules } from '../play/rules';
import { chime } from '../play/chime';
import { mySeats } from '../play/seats';
import { characterKeys, sounding } from '../play/settings';
import { sessionOf, type Problem, type Session } from '../play/session';
import { spoken, story } from '../play/story';
import { byKeyboard } from '../keyboard';
import { later, useParts } from '../later';
import { isAnalysed, keepAddress, linkToPosition, route, wantedOf } from '../route';
import { Hint } from '../learn/Hint';
import type { Lesson } from '../learn/lesson';
import { Study } from '../replay/study';
import { sharing } from '../share/links';
import { Absent } from './Absent';
import { Board } from './Board';
import { useDrag } from './drag';
import { Join } from './Join';
import { Hand, type HandMark } from './Hand';
import { Log } from './Log';
import { useTravel } from './motion';
import { Payment } from './Payment';
import { Ascent, Players } from './Players';
import { SentenceText } from './Sentence';
import { Stream } from './Stream';

const AllActions = later('AllActions', true);
const AnalysisDialog = later('AnalysisDialog', true);
const Coach = later('Coach', true);
const Discards = later('Discards', true);
const GameMenu = later('GameMenu', true);
const KeysHelp = later('KeysHelp', true);
const Rematch = later('Rematch', true);
const ReplayBar = later('ReplayBar', true);
const ScoreDialog = later('ScoreDialog', true);
const Share = later('Share', true);

function problemText(problem: Problem): string {
  const params = Object.fromEntries(Object.entries(problem.params).map(([name, value]) => [name, String(value)]));
  return tMaybe(`error.${problem.code}`, t('error.unknown', { code: problem.code }), params);
}

function Refused({ problem, onClose }: { problem: Problem; onClose: () => void }) {
  return (
    <div class="refused" role="alert" data-code={problem.code}>
      <p>
        {problemText(problem)}
        {problem.rule && <small> {t('error.rule', { rule: problem.rule })}</small>}
      </p>
      <button type="button" class="link" onClick={onClose}>{t('app.close')}</button>
    </div>
  );
}

/** Whose turn it is, in a word or two. */
function turnText(game: Game, view: View, mine: number[], past = false): string {
  if (view.over) return t('table.over');
  const seat = view.seat_to_act;
  if (seat === null) return '';
  const { name, player } = game.seats[seat]!;
  if (player === 'open') return t('table.turn.open', { name });
  if (!past && mine.includes(seat)) return mine.length > 1 ? t('table.turn.named', { name }) : t('table.turn.mine');
  return t('table.turn.other', { name });
}

function leftText(game: Game, view: View): string {
  if (view.over || game.seats[view.seat_to_act ?? 0]!.player === 'open') return '';
  return view.phase === 'discard' ? t('table.turn.discard', { count: view.discards_due }) : tCount('table.turn.left', view.actions_left);
}

/** What the panel says while nobody here is to act. */
function waitText(session: Session, game: Game, view: View): string {
  const seat = game.seats[view.seat_to_act ?? 0]!;
  if (seat.player === 'open') return t('act.wait.open');
  if (session.eyes.value === null && !mySeats(game.id).length && seat.player === 'human') return t('act.watch');
  return t(seat.player === 'human' ? 'act.wait.human' : 'act.wait', { name: seat.name });
}

function ActionPanel({ session, study, game, view, onAnalysis }: { session: Session; study: Study; game: Game; view: View; onAnalysis: () => void }) {
  const choices = session.canAct.value ? session.choices.value : null;
  const draft = session.draft.value;
  const action = session.action.value;
  if (session.past.value || session.allIsKnown) {
    return <ReplayBar session={session} study={study} game={game} onAnalysis={onAnalysis} />;
  }
  const placement = choice.placementOf(choices, draft);
  const discarding = choices?.type === 'discard';
  const passing = choices?.pass ?? false;
  const begun = draft.card !== null || draft.draw !== null || draft.discard.length > 0;
  const label = (): string => {
    if (session.sending.value) return t('act.sending');
    if (passing) return t('act.pass');
    if (discarding) return t('act.discard.button');
    if (draft.draw === 'deck') return t('act.draw.deck');
    if (draft.draw !== null) return t('act.draw', { card: cardName(view.table.stream[draft.draw]!) });
    if (draft.card === null) return t('act.confirm');
    if (!placement) return t('act.summon');
    const years = choice.yearsOf(placement, draft);
    return years ? `${t('act.summon')} · ${tCount('table.plus', years)}` : t('act.summon');
  };
  const maySummon = choices?.summon.some((summon) => !summon.blocked) ?? false;
  const mayDraw = Boolean(choices?.draw && (choices.draw.deck || choices.draw.stream.length));
  return (
    <section class={`action${choices ? ' mine' : ''}`} aria-label={choices ? t('table.turn.mine') : turnText(game, view, mySeats(game.id))}>
      <div class="action-text">
        {!choices && <p class="say wait">{waitText(session, game, view)}</p>}
        {!choices && <Absent session={session} game={game} />}
        {choices && discarding && (
          <>
            <p class="say">{t('act.discard', { count: choices.discard!.count })}</p>
            <p class="say done">{t('act.discard.progress', { chosen: draft.discard.length, count: choices.discard!.count })}</p>
          </>
        )}
        {choices && passing && <p class="say">{t('act.pass.text')}</p>}
        {choices && !discarding && !passing && !begun && (
          <p class="say">{t(mayDraw && maySummon ? 'act.start' : mayDraw ? 'act.start.draw' : 'act.start.summon')}</p>
        )}
        {choices && game.can_undo && !begun && (
          <button type="button" class="pick undo" disabled={session.sending.value} onClick={() => void session.undo()}>
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 3L3 9l6 6v-4h6a4 4 0 0 1 0 8H8v3h7a7 7 0 0 0 0-14H9z" /></svg>
            {t('undo.button')}
          </button>
        )}
        {game.seats.some((seat) => seat.player === 'open') && !begun && (
          <button type="button" class="link" onClick={() => (sharing.value = game.id)}>{t('share.title.join')}</button>
        )}
        {!begun && (
          <ul class="latest">
            {session.log.value.slice(Math.max(session.newsFrom.value, session.log.value.length - 2)).map((entry) => (
              <li key={entry.index} class={`by-${entry.seat % 4}`}>
                {story(entry, (seat) => game.seats[seat]!.name).map((sentence, at) => (
                  <span key={at} class={at ? 'then' : 'first'}><SentenceText sentence={sentence} /></span>
                ))}
              </li>
            ))}
          </ul>
        )}
        {choices && draft.draw !== null && (
          <div class="payment drawing">
            <h3>{label()}</h3>
          </div>
        )}
        {choices && draft.card !== null && <Payment choices={choices} draft={draft} game={game} view={view} change={session.change} />}
        {choices && game.hints && !passing && <Hint key={`${game.version}-${choices.seat}`} session={session} game={game} view={view} choices={choices} begun={begun} />}
      </div>
      {choices && (
        <div class="buttons">
          <button
            type="button"
            class="button main"
            disabled={(!action && !passing) || session.sending.value}
            onClick={() => session.send(passing ? { seat: choices.seat, type: 'pass' } : action)}
          >
            {label()}
          </button>
          <button type="button" class="button quiet-button" disabled={!begun || session.sending.value} onClick={session.cancel}>{t('act.cancel')}</button>
        </div>
      )}
    </section>
  );
}

function Curtain({ session, game, seat }: { session: Session; game: Game; seat: number }) {
  const { name } = game.seats[seat]!;
  return (
    <Dialog title={t('curtain.title', { name })} class="curtain" onClose={null}>
      <p>{t('curtain.text', { name })}</p>
      <button type="button" class="button main" onClick={() => session.lookThrough(seat)}>{t('curtain.ready', { name })}</button>
    </Dialog>
  );
}

const SOMETHING_TO_DO = '.in-hand.may-discard button, .in-hand.open button, .card-button.offered';
const focusIsLost = (): boolean => document.activeElement?.matches('body, :disabled') ?? true;

/** Focuses what the first selector that is met finds. */
function focusOn(...selectors: string[]): void {
  const found = selectors.map((one) => document.querySelector<HTMLElement>(one)).find((one) => one !== null);
  found?.focus();
}

/** How many cards the deck had before the first action: those that are left and those that the log has seen leave it. */
function deckAtStart(session: Session, view: View): number {
  const drawn = session.log.value.filter(({ index, action, outcome }) =>
    index < view.actions_played && action.type === 'draw' && (action.source === 'deck' || outcome.refill !== null));
  return view.table.deck + drawn.length;
}

/** Spaces touched since the viewer's own last action; looking back, by the action just played. */
function touched(session: Session): Set<number> {
  const from = session.newsFrom.value;
  const eyes = session.eyes.value;
  const past = session.past.value;
  return new Set(
    session.log.value
      .filter((entry) => (past ? entry.index === past.index - 1 : entry.index >= from && entry.seat !== eyes))
      .flatMap(({ action }) => (action.type === 'summon' ? [action.space, ...(action.move ? [action.move.to] : [])] : [])),
  );
}

function Play({ session, game, view, lesson }: { session: Session; game: Game; view: View; lesson: Lesson | null }) {
  const [looked, setLooked] = useState<CardName | null>(null);
  const [open, setOpen] = useState<'discards' | 'menu' | 'score' | 'log' | 'analysis' | 'keys' | 'actions' | null>(null);
  const [scored, setScored] = useState(session.past.value !== null);
  const study = useMemo(() => new Study(session, session.allIsKnown && isAnalysed(route.peek().query)), [session]);
  useEffect(() => () => study.close(), [study]);
  const mine = mySeats(game.id);
  const choices = session.canAct.value ? session.choices.value : null;
  const draft = session.draft.value;
  const eyes = session.eyes.value;
  const board = boardInfo(game.board)!;
  const nameOf = (seat: number) => game.seats[seat]!.name;
  const past = session.past.value;
  const turn = turnText(game, view, mine, past !== null);
  const news = useMemo(() => touched(session), [session.log.value, session.newsFrom.value, eyes, past]);
  // With what is seen, not after it: a reload at once comes back to the same position.
  useLayoutEffect(() => keepAddress(game.id, linkToPosition(game.id, past, study.asked.value)), [past, study.asked.value]);

  useEffect(() => {
    if (game.over && view.over && !scored && session.past.value === null) {
      setScored(true);
      setOpen('score');
    }
  }, [game.over, view.over]);
  useEffect(() => {
    const escape = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') || (event.target as HTMLElement).matches('input, select, textarea')) return;
      if (event.key === '?') return characterKeys.value && setOpen('keys');
      if (event.key !== 'Escape') return;
      if (session.past.value) session.lookNow();
      else session.cancel();
    };
    addEventListener('keydown', escape);
    return () => removeEventListener('keydown', escape);
  }, [session]);
  const myTurn = choices !== null;
  // Whoever plays by keyboard finds the focus on something to do, not lost with a button that went away.
  useLayoutEffect(() => {
    if (choices && byKeyboard.current && focusIsLost()) focusOn(SOMETHING_TO_DO);
  }, [choices]);
  // The focus goes along with the choice: from the card to the spaces, the payment, the button; and before the
  // next key is heard, or a fast one would undo the choice just made.
  const chosen = useRef(draft);
  const step = choices && (session.action.value ? 'confirm' : choice.stepOf(choices, draft));
  useLayoutEffect(() => {
    const before = chosen.current;
    chosen.current = draft;
    if (!byKeyboard.current || !step) return;
    if (step === 'start') {
      // What was chosen has been put back: on with it, unless the focus is on another card already.
      const back = before.card !== null || before.draw !== null;
      if (focusIsLost() || (back && !document.activeElement?.matches('.card-button'))) focusOn(before.card ? `.in-hand [data-card="${before.card}"]` : `[data-place="${before.draw}"]`, SOMETHING_TO_DO);
      return;
    }
    const next = {
      space: '.space-button.is-target', move: '.moves .pick, .space-button.is-target', pay: '.in-hand.may-pay button, .pay-token[aria-pressed=false]:enabled',
      gain: '.sources .pick', confirm: '.action .button.main',
    }[step];
    focusOn(next);
  }, [step, draft.card, choice.paid(draft)]);
  const table = useRef<HTMLDivElement>(null);
  useDrag(table, session.cancel);
  useParts();
  const turnHeard = useRef(myTurn ? view.turn : null);
  useEffect(() => {
    if (!myTurn || turnHeard.current === view.turn) return;
    turnHeard.current = view.turn;
    if (sounding.value) chime();
  }, [myTurn, view.turn]);
  useEffect(() => {
    document.title = `${myTurn ? '● ' : ''}${turn} · ${t('app.title')}`;
  });

  const looking = draft.card === null && draft.draw === null && choices?.type === 'action' ? looked : null;
  const targets = choice.targetsOf(choices, looking ? { ...choice.nothing, card: looking } : draft);
  const placement = choice.placementOf(choices, draft);
  const loose = choice.looseOf(choices, draft);
  const better = past && study.betterAt(past.index);
  const advised = better?.type === 'summon' ? { card: better.card, space: better.space, move: better.move, shared: [] } : null;
  const ghost = draft.card !== null && draft.space !== null && placement
    ? { card: draft.card, space: draft.space, move: placement.move, shared: placement.breakdown.shared }
    : null;
  const usable = placement ? (choice.summonOf(choices, draft.card)?.usable.cards ?? []) : [];

  const markOf = (card: CardName): HandMark => {
    if (!choices) return 'idle';
    if (choices.type === 'discard') return draft.discard.includes(card) ? 'discard' : 'may-discard';
    if (draft.card === card) return 'chosen';
    if (draft.cards.includes(card)) return 'pays';
    if (usable.includes(card) && placement!.cost > 0) return 'may-pay';
    if (draft.card !== null && placement && placement.cost > 0) return 'idle';
    return choice.payable(choice.summonOf(choices, card)).length ? 'open' : 'blocked';
  };
  const onCard = (card: CardName): void => {
    if (choices?.type === 'discard') return session.change(choice.toggleDiscard(choices, draft, card));
    if (draft.card === card) return session.cancel();
    if (placement && placement.cost > 0 && usable.includes(card)) return session.change(choice.togglePay(choices, draft, card));
    session.change(choice.chooseCard(choices, card));
  };
  const onSpace = (space: number): void => {
    if (choice.stepOf(choices, draft) === 'move') {
      if (draft.lifted === null) return session.change(choice.lift(choices, draft, space));
      return session.change(choice.chooseMove(choices, draft, { from: draft.lifted, to: space }));
    }
    session.change(choice.chooseSpace(choices, draft, space));
  };
  const onDraw = (source: 'deck' | number): void => {
    const next = { ...choice.nothing, draw: source };
    if (draft.draw === source) void session.send(choice.actionOf(choices, next));
    else session.change(next);
  };
  const lastRound = view.last_round;
  const lastText = !lastRound || view.over ? '' : lastRound.reason === 'deck' ? t('table.last.deck') : t('table.last.years', { name: nameOf(lastRound.seat) });
  // Somebody who only watches sees the hand of whoever is to act, where hands are open to all.
  const chosenEyes = past?.eyes != null && past.eyes !== 'spectator' ? (past.eyes === 'all' ? null : Number(past.eyes)) : eyes;
  const handOf = chosenEyes ?? view.seat_to_act ?? 0;
  const hand = view.players[handOf]!.hand;
  useTravel(view, chosenEyes ?? -1);
  const free = game.seats.some((seat) => seat.player === 'open');
  const left = leftText(game, view);
  const goTo = (index: number): void => {
    setOpen(null);
    void session.lookBack(index);
  };
  const log = (
    <Log
      entries={session.log.value}
      newsFrom={session.newsFrom.value}
      takenBack={session.takenBack.value}
      nameOf={nameOf}
      shown={past?.index ?? null}
      onShow={goTo}
    />
  );
  return (
    <div ref={table} class={`table mode-${game.mode}`} data-version={game.version} data-actions={view.actions_played} data-turn={choices ? 'mine' : 'other'}>
      <h1 class="sr-only">{t('app.title')}</h1>
      {eyes !== null && !game.replay && <button type="button" class="skip list-actions" onClick={() => setOpen('actions')}>{t('actions.title')}</button>}
      <div class="status">
        <p class={`whose${myTurn ? ' mine' : ''}`} title={turn}>
          {turn}
          {left && <span class="left">{left}</span>}
        </p>
        {lastText && <p class="last-round" title={lastText}>{lastText}</p>}
        {game.replay && <p class="badge">{t('table.replay')}</p>}
        {session.lost.value && <p class="badge lost" role="status">{t('table.lost')}</p>}
        {game.over && <button type="button" class="link" onClick={() => setOpen('score')}>{t('table.result')}</button>}
        <button type="button" class="menu-button log-button" aria-label={t('table.log')} onClick={() => setOpen('log')}>
          <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 4h14v3H5zM5 10.5h14v3H5zM5 17h9v3H5z" /></svg>
        </button>
        <button type="button" class="menu-button" aria-label={t('table.menu')} onClick={() => setOpen('menu')}>
          <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="5" cy="12" r="2" /><circle cx="12" cy="12" r="2" /><circle cx="19" cy="12" r="2" /></svg>
        </button>
      </div>
      {lastText && <p class="banner">{lastText}</p>}
      <div class="side">
        <Players game={game} view={view} me={eyes} loose={loose} />
        {game.mode === 'cooperative' && <Ascent game={game} view={view} />}
        {lesson ? <Coach lesson={lesson} /> : log}
      </div>
      <Board board={board} view={view} competitive={game.mode === 'competitive'} targets={targets} hint={looking !== null} ghost={past ? advised : ghost} news={news} loose={loose} onSpace={onSpace} />
      <Stream view={view} deckAtStart={deckAtStart(session, view)} choices={choices?.type === 'action' ? choices : null} chosen={past ? (better?.type === 'draw' ? better.source : null) : draft.draw} loose={loose} onDraw={onDraw} onDiscards={() => setOpen('discards')} />
      {hand && session.curtain.value === null ? (
        <Hand title={mine.length === 1 ? t('table.hand') : t('table.hand.of', { name: nameOf(handOf) })} cards={hand} markOf={markOf} onCard={choices ? onCard : null} onLook={setLooked} />
      ) : (
        <section class="hand" aria-label={t('table.hand')}>
          {session.curtain.value === null && (free && eyes === null ? <Join session={session} game={game} /> : <p class="quiet">{t('table.hand.hidden')}</p>)}
        </section>
      )}
      <ActionPanel session={session} study={study} game={game} view={view} onAnalysis={() => setOpen('analysis')} />
      {session.problem.value && <Refused problem={session.problem.value} onClose={() => (session.problem.value = null)} />}
      {open === 'discards' && <Discards cards={view.table.discards} onClose={() => setOpen(null)} />}
      {open === 'log' && <Dialog title={t('table.log')} class="log-dialog" onClose={() => setOpen(null)}>{log}</Dialog>}
      {open === 'menu' && <GameMenu session={session} game={game} lesson={lesson !== null} onAnalysis={session.allIsKnown ? () => setOpen('analysis') : null} onClose={() => setOpen(null)} onOpen={setOpen} />}
      {open === 'analysis' && <AnalysisDialog session={session} study={study} game={game} onGo={goTo} onClose={() => setOpen(null)} />}
      {open === 'keys' && <KeysHelp onClose={() => setOpen(null)} />}
      {open === 'actions' && <AllActions session={session} game={game} view={view} onClose={() => setOpen(null)} />}
      {open === 'score' && (
        <ScoreDialog session={session} game={game} mine={mine} onAnalysis={() => setOpen('analysis')} onClose={() => setOpen(null)} />
      )}
      {game.next_game && open === null && <Rematch session={session} game={game} />}
      {sharing.value === game.id && <Share game={game} onClose={() => (sharing.value = null)} />}
      {session.curtain.value !== null && <Curtain session={session} game={game} seat={session.curtain.value} />}
      <div class="sr-only" aria-live="polite">
        {session.takenBack.value && <p key={`back-${game.version}`}>{t('undo.told', { who: nameOf(session.takenBack.value.seat), what: spoken(story(session.takenBack.value, nameOf)) })}</p>}
        {session.heard.value.map((entry) => <p key={entry.index}>{spoken(story(entry, nameOf))}</p>)}
        {myTurn && <p key={`turn-${view.turn}-${view.actions_left}`}>{t('table.turn.mine')}, {left}</p>}
      </div>
    </div>
  );
}

/** One open game. */
export function Table({ id, lesson = null }: { id: string; lesson?: Lesson | null }) {
  const { query } = route.value;
  const session = useMemo(() => lesson?.session ?? sessionOf(id, wantedOf(query)), [id, lesson]);
  useEffect(() => () => session.close(), [session]);
  useEffect(() => {
    const wanted = wantedOf(query);
    if (wanted && session.game.peek()) void session.lookBack(wanted.at, wanted.eyes);
  }, [query]);
  const [game, view] = [session.game.value, session.view.value];
  if (session.missing.value) return <h1 class="notice">{t('table.missing')}</h1>;
  if (!game || !view || !rules.value) {
    return <p class="notice" role="status">{session.lost.value ? t('table.lost') : t('app.loading')}</p>;
  }
  return <Play session={session} game={game} view={view} lesson={lesson} />;
}
