/** Where the spaces lie in pixels, for any board: as large as they can be without touching each other. */
import type { BoardInfo } from '../api/types';
import { FACE } from './Card';

export interface Layout {
  width: number;
  height: number;
  inset: number;
  scale: number;
  card: { width: number; height: number };
  at: { x: number; y: number }[];
}

const LARGEST = 2;
const SMALLEST = 0.3;
/** How far spaces may be pushed from the middle towards the rim; each step must be worth larger cards. */
const PUSHES = [1, 0.75, 0.5, 0.3];
const WORTH = 0.96;

const pushed = (at: number, power: number): number => 0.5 + (Math.sign(at - 0.5) * Math.abs(2 * at - 1) ** power) / 2;

export function layOut(board: BoardInfo, width: number, height: number, track: boolean): Layout {
  const small = Math.min(width, height) < 420;
  const inset = track ? (small ? 11 : 17) : small ? 6 : 9;
  const margin = inset + (track ? (small ? 10 : 16) : small ? 6 : 10);
  const spread = (axis: 'x' | 'y') => {
    const values = board.spaces.map((space) => space[axis]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return (value: number) => (high > low ? (value - low) / (high - low) : 0.5);
  };
  const [u, v] = [spread('x'), spread('y')];
  const gap = small ? 7 : 20;
  const head = small ? 4 : 8; // room for a stack's edges above the topmost card
  const { width: wide, height: high } = FACE.stamp;
  const laid = (acrossPush: number, downPush: number): Layout => {
    const places = board.spaces.map((space) => ({ u: pushed(u(space.x), acrossPush), v: pushed(v(space.y), downPush) }));
    // Two cards are apart across or down: either way bounds their scale, and the kinder bound counts.
    const largest = (apart: number, length: number, card: number) => (apart * length - gap) / (card * (1 + apart));
    const bounds = places.flatMap((a, one) => places.slice(one + 1).map((b) => Math.max(
      largest(Math.abs(a.u - b.u), width - 2 * margin, wide),
      largest(Math.abs(a.v - b.v), height - 2 * margin - head, high),
    )));
    const scale = Math.max(SMALLEST, Math.min(LARGEST, ...bounds));
    const card = { width: wide * scale, height: high * scale };
    const at = places.map((place) => ({
      x: margin + card.width / 2 + place.u * (width - 2 * margin - card.width),
      y: margin + head + card.height / 2 + place.v * (height - 2 * margin - head - card.height),
    }));
    return { width, height, inset, scale, card, at };
  };
  let best = laid(1, 1);
  let worth = best.scale;
  for (const [down, downPush] of PUSHES.entries()) {
    for (const [across, acrossPush] of PUSHES.entries()) {
      const next = laid(acrossPush, downPush);
      const value = next.scale * WORTH ** (down + across);
      if (value > worth) [best, worth] = [next, value];
    }
  }
  return best;
}

/** A vine from one space to another, bent a little away from the middle of the board. */
export function vinePath(layout: Layout, from: number, to: number) {
  const [a, b] = [layout.at[from]!, layout.at[to]!];
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const normal = { x: b.y - a.y, y: a.x - b.x };
  const outward = normal.x * (middle.x - layout.width / 2) + normal.y * (middle.y - layout.height / 2);
  const bend = 0.1 * (outward >= 0 ? 1 : -1);
  const c = { x: middle.x + normal.x * bend, y: middle.y + normal.y * bend };
  const point = (s: number) => ({
    x: (1 - s) ** 2 * a.x + 2 * s * (1 - s) * c.x + s ** 2 * b.x,
    y: (1 - s) ** 2 * a.y + 2 * s * (1 - s) * c.y + s ** 2 * b.y,
  });
  const angle = (s: number) =>
    (Math.atan2((1 - s) * (c.y - a.y) + s * (b.y - c.y), (1 - s) * (c.x - a.x) + s * (b.x - c.x)) * 180) / Math.PI;
  const round = (n: number) => n.toFixed(1);
  return { path: `M${round(a.x)} ${round(a.y)}Q${round(c.x)} ${round(c.y)} ${round(b.x)} ${round(b.y)}`, point, angle };
}
