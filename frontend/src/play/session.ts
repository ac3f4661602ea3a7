/** An open table: it polls, steps through what others played, keeps the half-made choice and sends actions. */
import { batch, computed, effect, signal } from '@preact/signals';
import * as api from '../api/calls';
import { Refusal, Unreachable } from '../api/client';
import type { Action, Choices, Game, LogEntry, View } from '../api/types';
import { actionOf, draftOf, nothing, revive, type Draft } from './choice';
import { dropToken, mySeats, othersAt, shelf, tokenOf } from './seats';
import { confirming } from './settings';

export interface Problem { code: string; rule: string | null; params: Record<string, unknown> }

export interface Past { index: number; eyes: api.Eyes | null; view: View }
/** A position to open with. */
export interface Wanted { at: number; eyes: api.Eyes | null }

const PACE_MS = 700;
const LONGEST_REPLAY = 16; // a longer absence is not stepped through
const HIDDEN_FACTOR = 10;
const REMATCH_WAIT_MS = 3000;
const LOST_WAIT_MS = [500, 1000, 2000, 4000, 8000];

type Log = Awaited<ReturnType<typeof api.readLog>>;
type ChoicesAnswer = Awaited<ReturnType<typeof api.readChoices>>;
interface Ahead { log: Log | null; choices: ChoicesAnswer | null }

/** Does a log that was read beside the game surely tell how it came about? */
const tells = ({ entries, undone }: Log, game: Game): boolean =>
  Math.max(0, ...entries.map((entry) => entry.version), ...undone.map((one) => one.undone_version)) === game.version || game.actions_played + entries.length + undone.length === 0;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
// randomUUID exists only at secure addresses, and a game in the local network has none.
const freshKey = (): string => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
export const calm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Session {
  readonly game = signal<Game | null>(null);
  /** What the board shows: the game as it is, or a step on the way there. */
  readonly live = signal<View | null>(null);
  /** A position looked back at, and whose eyes were chosen for it; null: one's own. */
  readonly past = signal<Past | null>(null);
  readonly log = signal<LogEntry[]>([]);
  readonly choices = signal<Choices | null>(null);
  readonly draft = signal<Draft>(nothing);
  readonly eyes = signal<number | null>(null);
  readonly curtain = signal<number | null>(null);
  readonly problem = signal<Problem | null>(null);
  readonly lost = signal(false);
  readonly missing = signal(false);
  readonly sending = signal(false);
  /** Log index from which on entries are news: all that happened since the viewer's own last action. */
  readonly newsFrom = computed(() => {
    const mine = this.log.value.findLastIndex((entry) => entry.seat === this.eyes.value);
    return this.eyes.value === null ? this.log.value.length - 1 : mine + 1;
  });
  readonly heard = signal<LogEntry[]>([]);
  /** The action that was taken back last, until something else is played. */
  readonly takenBack = signal<LogEntry | null>(null);

  readonly view = computed<View | null>(() => this.past.value?.view ?? this.live.value);
  readonly action = computed<Action | null>(() => actionOf(this.choices.value, this.draft.value));
  readonly canAct = computed(() => this.choices.value !== null && this.past.value === null && this.curtain.value === null);

  /** Whether a choice may be made; a lesson lets only some of them pass. */
  guard: ((draft: Draft) => boolean) | null = null;

  private etag: string | null = null;
  /** The next poll takes whatever it gets: an answer under way may be about other eyes. */
  private anew = false;
  private sought: Wanted | null = null;
  private readonly seen = new Map<string, View>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private failures = 0;
  private busy: Promise<void> = Promise.resolve();
  private readonly stops: (() => void)[] = [];

  constructor(readonly id: string, private wanted: Wanted | null = null) {
    const kept = Number(sessionStorage.getItem(this.eyesKey) ?? NaN);
    const mine = mySeats(id);
    this.eyes.value = mine.includes(kept) ? kept : mine.length === 1 ? mine[0]! : null;
    const save = effect(() => {
      const [choices, draft, live] = [this.choices.value, this.draft.value, this.live.peek()];
      if (!choices || !live) return;
      const key = this.draftKey;
      if (draft === nothing) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify({ at: live.actions_played, seat: choices.seat, draft }));
    });
    let held = mine.join();
    const sit = effect(() => {
      shelf.value;
      const now = mySeats(id);
      if (now.join() === held) return;
      held = now.join();
      // A seat was taken or left, here or in another tab.
      if (this.eyes.peek() === null && now.length === 1) return this.lookThrough(now[0]!);
      this.anew = true;
      void this.tick();
    });
    this.stops.push(save, sit);
    document.addEventListener('visibilitychange', this.wake);
    addEventListener('online', this.wake);
    void this.tick();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    for (const stop of this.stops) stop();
    document.removeEventListener('visibilitychange', this.wake);
    removeEventListener('online', this.wake);
  }

  private get eyesKey(): string {
    return `stem-branch.eyes.${this.id}`;
  }

  private get draftKey(): string {
    return `stem-branch.draft.${this.id}`;
  }

  private get token(): string | null {
    return tokenOf(this.id, this.eyes.peek());
  }

  private readonly wake = (): void => {
    if (document.visibilityState === 'visible') void this.tick();
  };

  /** One thing at a time: polls, answers and steps of a replay must not overtake each other. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    this.busy = this.busy.then(() => (this.closed ? undefined : work())).catch((fault: unknown) => this.failed(fault));
    return this.busy;
  }

  private failed(fault: unknown): void {
    if (fault instanceof Unreachable) {
      this.failures += 1;
      this.lost.value = true;
      return;
    }
    if (!(fault instanceof Refusal)) {
      this.failures += 1;
      reportError(fault); // a fault of the page itself must not stop its polls
      return;
    }
    if (fault.code === 'no-such-game') this.missing.value = true;
    if (fault.status === 401 && this.eyes.peek() !== null) {
      dropToken(this.id, this.eyes.peek()!);
      this.lookThrough(null);
    }
    this.problem.value = { code: fault.code, rule: fault.rule, params: fault.params };
  }

  readonly tick = async (): Promise<void> => {
    clearTimeout(this.timer);
    await this.inTurn(async () => {
      if (this.anew) this.etag = null;
      this.anew = false;
      const asked = api.readGame(this.id, this.token, this.etag);
      const ahead = this.game.peek() ? null : this.askAhead();
      const { game, etag } = await asked;
      this.failures = 0;
      this.lost.value = false;
      if (game) {
        await this.receive(game, await ahead);
        this.etag = etag;
      }
    });
    this.schedule();
  };

  /** What a table that is just opened needs beside the game itself, asked for at the same time. */
  private async askAhead(): Promise<Ahead> {
    const [log, choices] = await Promise.all([
      api.readLog(this.id, this.token, -1).catch(() => null),
      this.eyes.peek() === null ? null : api.readChoices(this.id, this.token).catch(() => null),
    ]);
    return { log, choices };
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (this.closed || this.missing.peek()) return;
    const game = this.game.peek();
    let wait = game?.poll_after_ms ?? 1000;
    if (this.failures) wait = LOST_WAIT_MS[Math.min(this.failures, LOST_WAIT_MS.length) - 1]!;
    else if (game?.over) wait = othersAt(game) && !game.next_game ? REMATCH_WAIT_MS : 30_000;
    if (document.visibilityState === 'hidden') wait *= HIDDEN_FACTOR;
    this.timer = setTimeout(() => void this.tick(), wait);
  }

  /** Takes a newer state of the game: first the steps that led there, then the state itself. */
  private async receive(game: Game, ahead: Ahead | null = null): Promise<void> {
    const before = this.game.peek();
    if (before && game.version < before.version) return;
    const entries = await this.readNews(before, game, ahead?.log ?? null);
    this.game.value = game;
    // One's own action, too: its answer may already tell what a quick computer has played after it.
    const steps = before && !calm() && !document.hidden && entries.length <= LONGEST_REPLAY ? entries.slice(0, -1) : [];
    for (const entry of steps) {
      const position = await api.readPosition(this.id, this.token, entry.index + 1).catch((fault: unknown) => {
        if (fault instanceof Refusal) return null; // it has been taken back meanwhile
        throw fault;
      });
      if (!position) break;
      batch(() => {
        this.choices.value = null;
        this.live.value = position;
        this.hear(entries.filter((one) => one.index <= entry.index));
      });
      await pause(PACE_MS);
      if (this.closed) return;
    }
    const choices = await this.askChoices(game, ahead?.choices ?? null);
    const past = this.wanted && (await this.position(this.wanted));
    this.wanted = null;
    // What was hidden from the viewer is told to everybody in the end.
    if (game.over && this.log.peek().some((entry) => entry.outcome.hidden)) this.log.value = (await api.readLog(this.id, this.token, -1)).entries;
    batch(() => {
      if (past) this.past.value = past;
      this.live.value = game;
      this.hear(entries);
      this.takeChoices(choices, game);
      this.drawCurtain(game);
    });
  }

  /** What was played since. Entries that were taken back leave the log here, too. */
  private async readNews(before: Game | null, game: Game, ahead: Log | null): Promise<LogEntry[]> {
    const known = this.log.peek();
    // Each action makes the version grow by one; where it has grown otherwise, something may have been taken back.
    const onlyPlayed = before !== null && game.version - before.version === game.actions_played - known.length;
    if (onlyPlayed && game.version === before.version) return [];
    let read = ahead && tells(ahead, game) ? ahead : await api.readLog(this.id, this.token, known.length - 1);
    const lost = read.undone.filter((one) => before && one.undone_version > before.version && one.index < known.length);
    if (lost.length) {
      const first = Math.min(...lost.map((one) => one.index));
      read = await api.readLog(this.id, this.token, first - 1);
      batch(() => {
        this.takenBack.value = known[lost.find((one) => one.index === first)!.index]!;
        this.log.value = known.slice(0, first);
        this.heard.value = [];
        if (this.past.value && this.past.value.index > first) this.past.value = null;
      });
    }
    // The log may be ahead of the game that was read; what it is ahead is shown step by step next time.
    return read.entries.filter((entry) => entry.index < game.actions_played && entry.version <= game.version);
  }

  private hear(entries: LogEntry[]): void {
    const heard = this.log.peek();
    const news = entries.filter((entry) => entry.index >= heard.length);
    if (!news.length) return;
    this.log.value = [...heard, ...news];
    this.takenBack.value = null;
    if (heard.length) this.heard.value = news;
  }

  private async askChoices(game: Game, ahead: ChoicesAnswer | null): Promise<Choices | null> {
    const eyes = this.eyes.peek();
    if (game.over || game.replay || eyes === null || game.seat_to_act !== eyes) return null;
    const answer = ahead?.version === game.version ? ahead : await api.readChoices(this.id, this.token);
    return answer.version === game.version ? answer.choices : null;
  }

  private takeChoices(choices: Choices | null, game: Game): void {
    const stored = sessionStorage.getItem(this.draftKey);
    let draft = nothing;
    if (choices && stored) {
      const kept = JSON.parse(stored) as { at: number; seat: number; draft: Draft };
      if (kept.at === game.actions_played && kept.seat === choices.seat) draft = revive(choices, kept.draft);
    }
    this.draft.value = draft;
    this.choices.value = choices;
  }

  /** Several people at one device: cover the hands before the next of them looks. */
  private drawCurtain(game: Game): void {
    const next = game.seat_to_act;
    const mine = mySeats(this.id);
    if (next === null || !mine.includes(next) || next === this.eyes.peek()) {
      this.curtain.value = null;
      return;
    }
    const secret = game.mode === 'competitive' || game.options.hands === 'closed';
    if (secret && mine.length > 1) this.curtain.value = next;
    else queueMicrotask(() => this.lookThrough(next));
  }

  /** Whose eyes the table is seen with. Another seat's log hides other things, so it is read anew. */
  lookThrough(seat: number | null): void {
    if (seat === null) sessionStorage.removeItem(this.eyesKey);
    else sessionStorage.setItem(this.eyesKey, String(seat));
    batch(() => {
      this.eyes.value = seat;
      this.curtain.value = null;
      this.choices.value = null;
      this.log.value = [];
      this.game.value = null;
      this.past.value = null;
    });
    this.anew = true;
    void this.tick();
  }

  readonly change = (next: Draft): void => {
    if (this.guard && !this.guard(next)) return;
    this.problem.value = null;
    this.draft.value = next;
    if (!confirming.peek()) void this.send();
  };

  /** Something beside the game's actions: joining, leaving, exporting. A refusal is shown like any other; whether it succeeded. */
  async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (fault) {
      this.failed(fault);
      return false;
    }
  }

  readonly cancel = (): void => this.change(nothing);

  async send(action: Action | null = this.action.peek()): Promise<void> {
    const game = this.game.peek();
    if (!action || !game || this.sending.peek()) return;
    if (this.guard && !this.guard(draftOf(this.choices.peek(), action))) return;
    this.sending.value = true;
    this.problem.value = null;
    await this.inTurn(async () => {
      try {
        const applied = await this.sendSurely(game, action);
        sessionStorage.removeItem(this.draftKey);
        this.anew = true;
        this.draft.value = nothing;
        this.choices.value = null;
        await this.receive(applied.game);
      } catch (fault) {
        if (!(fault instanceof Refusal)) throw fault;
        this.problem.value = { code: fault.code, rule: fault.rule, params: fault.params };
        this.anew = true;
      } finally {
        this.sending.value = false;
      }
    });
    void this.tick();
  }

  /**
   * Sends until there is an answer, with the same key each time: if an answer was lost on the way, nothing is played
   * twice. Where the version has grown only because somebody joined or left, the choice still stands.
   */
  private async sendSurely(seen: Game, action: Action) {
    let version = seen.version;
    let key = freshKey();
    for (let tried = 0; ; ) {
      try {
        return await api.act(this.id, this.token, version, action, key);
      } catch (fault) {
        if (fault instanceof Refusal && fault.code === 'stale-version') {
          const { game } = await api.readGame(this.id, this.token);
          if (game?.actions_played !== seen.actions_played || game.version === version) throw fault;
          const { undone } = await api.readLog(this.id, this.token, seen.actions_played - 1);
          if (undone.some((one) => one.undone_version > seen.version)) throw fault;
          version = game.version;
          key = freshKey();
        } else if (fault instanceof Unreachable && tried < 3) {
          this.lost.value = true;
          await pause(LOST_WAIT_MS[tried]!);
          tried += 1;
        } else throw fault;
      }
    }
  }

  /** Takes back the last action of this seat. */
  async undo(): Promise<void> {
    const game = this.game.peek();
    if (!game?.can_undo || this.sending.peek()) return;
    this.sending.value = true;
    await this.inTurn(async () => {
      try {
        const { game: now } = await api.undo(this.id, this.token, game.version);
        this.change(nothing);
        await this.receive(now);
      } finally {
        this.anew = true;
        this.sending.value = false;
      }
    });
    void this.tick();
  }

  /** Whose eyes may be chosen: everybody's once nothing is hidden any more. */
  get allIsKnown(): boolean {
    const game = this.game.peek();
    return game !== null && (game.over || game.replay);
  }

  private async position({ at, eyes }: Wanted): Promise<Past> {
    const game = this.game.peek()!;
    const index = Math.min(at, game.actions_played);
    const chosen = this.allIsKnown && (Number.isNaN(Number(eyes)) || Number(eyes) < game.seats.length) ? eyes : null;
    const key = `${index} ${chosen} ${this.eyes.peek()}`;
    const own = this.allIsKnown && this.eyes.peek() === null ? 'all' : null;
    const view = this.seen.get(key) ?? (await api.readPosition(this.id, this.token, index, chosen ?? own));
    if (this.allIsKnown) this.seen.set(key, view);
    return { index, eyes: chosen, view };
  }

  /** Of several positions asked for in haste only the last is shown. */
  async lookBack(at: number, eyes: api.Eyes | null = this.past.peek()?.eyes ?? null): Promise<void> {
    const wanted = { at, eyes };
    this.sought = wanted;
    await this.inTurn(async () => {
      if (this.sought !== wanted) return;
      const past = await this.position(wanted);
      if (this.sought === wanted) this.past.value = past;
    });
  }

  readonly lookNow = (): void => {
    this.sought = null;
    this.past.value = null;
  };
}

/** The session of the table that the page opens with: what it asks for comes while the page is being set up. */
let begun: Session | null = null;

export const beginSession = (id: string, wanted: Wanted | null): void => {
  begun = new Session(id, wanted);
};

export function sessionOf(id: string, wanted: Wanted | null): Session {
  const ready = begun;
  begun = null;
  if (ready?.id === id) return ready;
  ready?.close();
  return new Session(id, wanted);
}
