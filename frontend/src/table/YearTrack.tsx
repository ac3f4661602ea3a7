import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PlayerView } from '../api/types';
import { FlowerMark } from '../art/Flower';
import { calm } from '../play/session';

export const YEARS_ROUND = 60;
const WALK_MS = 700;
const LONGEST_WALK = 30;

/** A point of the 60-year track along the scroll's rim; year 0 (and 60) is at the top in the middle. */
export function yearPoint(year: number, width: number, height: number, inset: number): { x: number; y: number } {
  const [w, h] = [width - 2 * inset, height - 2 * inset];
  let way = (((year % YEARS_ROUND) / YEARS_ROUND) * 2 * (w + h) + w / 2) % (2 * (w + h));
  if (way < w) return { x: inset + way, y: inset };
  way -= w;
  if (way < h) return { x: inset + w, y: inset + way };
  way -= h;
  if (way < w) return { x: inset + w - way, y: inset + h };
  return { x: inset, y: inset + h - (way - w) };
}

interface Props { width: number; height: number; inset: number; players: PlayerView[]; size: number }

export function YearTrack({ width, height, inset, players, size }: Props) {
  const crowd = new Map<number, number>();
  const track = useRef<SVGGElement>(null);
  const lived = useRef(players.map((player) => player.years));
  // A flower walks along the track, not straight across the scroll.
  useLayoutEffect(() => {
    const before = lived.current;
    lived.current = players.map((player) => player.years);
    if (calm()) return;
    for (const [at, { years }] of players.entries()) {
      const from = before[at] ?? years;
      if (from === years || Math.abs(years - from) > LONGEST_WALK) continue;
      const steps = Array.from({ length: Math.abs(years - from) }, (_, step) => yearPoint(from + step * Math.sign(years - from), width, height, inset));
      const way = steps.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
      track.current!.querySelectorAll(':scope > .flower')[at]?.animate([...way, {}], { duration: WALK_MS, easing: 'ease-in-out' });
    }
  }, [players]);
  return (
    <g class="years" ref={track}>
      {Array.from({ length: YEARS_ROUND }, (_, year) => {
        const { x, y } = yearPoint(year, width, height, inset);
        const tenth = year % 10 === 0;
        return (
          <g key={year}>
            <circle class={tenth ? 'year tenth' : 'year'} cx={x} cy={y} r={tenth ? size : year % 5 === 0 ? size * 0.5 : size * 0.36} />
            {tenth && <text class="year-number" x={x} y={y} font-size={size * 1.05}>{year || YEARS_ROUND}</text>}
          </g>
        );
      })}
      {players.map((player) => {
        const place = player.years % YEARS_ROUND;
        const before = crowd.get(place) ?? 0;
        crowd.set(place, before + 1);
        const { x, y } = yearPoint(player.years, width, height, inset);
        // Flowers that share a year stand side by side, towards the middle of the scroll.
        const along = size * 1.5 * before;
        const [dx, dy] = x <= inset ? [along, 0] : x >= width - inset ? [-along, 0] : y <= inset ? [0, along] : [0, -along];
        return <FlowerMark key={player.seat} seat={player.seat} x={x + dx} y={y + dy} size={size * 1.15} />;
      })}
    </g>
  );
}
