/** The analysis of a game: asked for, awaited, and what it says of a position. */
import { computed, effect, signal } from '@preact/signals';
import * as api from '../api/calls';
import { Refusal, Unreachable } from '../api/client';
import type { Action, Analysis, Game, Judgement, View } from '../api/types';
import { advised, prospect } from '../play/advice';
import { tokenOf } from '../play/seats';
import type { Session } from '../play/session';
import { story, type NameOf, type Sentence } from '../play/story';

const LOST_WAIT_MS = 2000;

export class Study {
  readonly analysis = signal<Analysis | null>(null);
  /** The actions with a better one. */
  readonly turning = computed<Judgement[]>(() => this.analysis.value?.judgements.filter((one) => one.better !== null) ?? []);
  /** The positions that turning points were played in; they say which card a better draw would have brought. */
  private readonly positions = signal(new Map<number, View>());
  /** Has it been asked for? Links then say so, and whoever opens them is shown what the server has kept. */
  readonly asked = signal(false);
  private closed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stop: () => void;

  constructor(private readonly session: Session, recall = false) {
    this.stop = effect(() => {
      const missing = this.turning.value.find((one) => !this.positions.value.has(one.index));
      if (missing) void this.read(missing.index);
    });
    if (!recall) return;
    this.asked.value = true;
    void this.look(api.readAnalysis);
  }

  close(): void {
    this.closed = true;
    this.stop();
    clearTimeout(this.timer);
  }

  ask(): void {
    if (this.asked.value) return;
    this.asked.value = true;
    void this.look(api.askAnalysis);
  }

  private async look(call: typeof api.askAnalysis): Promise<void> {
    const { id, eyes } = this.session;
    await this.session.attempt(async () => {
      try {
        const analysis = await call(id, tokenOf(id, eyes.peek()));
        if (this.closed) return;
        this.analysis.value = analysis;
        if (!analysis.done) this.again(analysis.poll_after_ms ?? 0);
      } catch (fault) {
        if (this.closed) return;
        if (fault instanceof Unreachable) this.again(LOST_WAIT_MS);
        else this.asked.value = false;
        // A link may be older than what the server keeps.
        if (!(fault instanceof Refusal && fault.code === 'no-analysis')) throw fault;
      }
    });
  }

  private again(wait: number): void {
    this.timer = setTimeout(() => void this.look(api.readAnalysis), wait);
  }

  private async read(index: number): Promise<void> {
    const { id, eyes } = this.session;
    await this.session.attempt(async () => {
      const view = await api.readPosition(id, tokenOf(id, eyes.peek()), index);
      if (!this.closed) this.positions.value = new Map(this.positions.peek()).set(index, view);
    });
  }

  /** The turning point that this position is about: the one to be played next, else the one just played. */
  at(index: number): Judgement | null {
    const { value } = this.turning;
    return value.find((one) => one.index === index) ?? value.find((one) => one.index === index - 1) ?? null;
  }

  /** What would have been better than the action that follows this position. */
  betterAt(index: number): Action | null {
    return this.turning.value.find((one) => one.index === index)?.better ?? null;
  }

  /** A turning point in words, once its position is there: what was played, what would have been better, what it cost. */
  verdict(game: Game, turn: Judgement): Verdict | null {
    const entry = this.session.log.value[turn.index];
    const view = this.positions.value.get(turn.index);
    if (!entry || !view || !turn.better) return null;
    const nameOf: NameOf = (seat) => game.seats[seat]!.name;
    const [before, after] = [turn.before, turn.after].map((outlook) => prospect(game.mode, outlook[turn.seat]!));
    return { played: story(entry, nameOf).slice(0, 1), better: advised(turn.better, view, nameOf), change: `${before} → ${after}` };
  }
}

export interface Verdict { played: Sentence[]; better: Sentence[]; change: string }
