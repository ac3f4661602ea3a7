import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Analysis, Game, Judgement } from '../api/types';
import { FlowerMark } from '../art/Flower';
import { number, percent, t } from '../i18n';

interface Props { game: Game; analysis: Analysis; turning: Judgement[]; at: number; small?: boolean; onGo: (index: number) => void }

const CLOSE = 9; // pixels within which a click means a turning point

/** One value for each position: before the first action, then after each. */
export function courses(game: Game, { judgements }: Analysis): number[][] {
  const seats = game.mode === 'competitive' ? game.seats.map(({ seat }) => seat) : [0];
  return seats.map((seat) => judgements.flatMap((one, at) => (at ? [one.after[seat]!] : [one.before[seat]!, one.after[seat]!])));
}

/** How the win chances, or in co-op the expected score, went. The table beside it says the same in numbers. */
export function Graph({ game, analysis, turning, at, small = false, onGo }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWidth(Math.round(frame.current!.clientWidth));
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current!);
    measure();
    return () => observer.disconnect();
  }, []);
  const height = small ? 40 : Math.max(130, Math.min(210, Math.round(width * 0.38)));
  const edge = small ? { left: 8, right: 8, top: 4, bottom: 4 } : { left: 40, right: 18, top: 12, bottom: 22 };
  const together = game.mode === 'cooperative';
  const lines = courses(game, analysis);
  const most = together ? Math.max(20, Math.ceil(Math.max(0, ...lines[0]!) / 10) * 10) : 1;
  const x = (index: number) => edge.left + (index / Math.max(1, analysis.actions)) * (width - edge.left - edge.right);
  const y = (value: number) => edge.top + (1 - value / most) * (height - edge.top - edge.bottom);
  const line = (turn: Judgement) => lines[together ? 0 : turn.seat]!;
  const points = turning.map((turn) => ({ turn, x: x(turn.index), y: y(line(turn)[turn.index] ?? 0) }));
  const go = (event: MouseEvent) => {
    const px = event.clientX - frame.current!.getBoundingClientRect().left;
    const near = points.filter((point) => Math.abs(point.x - px) <= CLOSE).sort((a, b) => Math.abs(a.x - px) - Math.abs(b.x - px))[0];
    const share = (px - edge.left) / (width - edge.left - edge.right);
    onGo(near?.turn.index ?? Math.max(0, Math.min(analysis.actions, Math.round(share * analysis.actions))));
  };
  return (
    <div class={`graph${small ? ' small' : ''}`} ref={frame}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true" onClick={go}>
          {[0, 0.5, 1].map((share) => (
            <g key={share}>
              <path class="grid-line" d={`M${edge.left} ${y(share * most)}H${width - edge.right}`} />
              {!small && <text class="scale-number" x={edge.left - 6} y={y(share * most)}>{together ? number(share * most) : percent(share)}</text>}
            </g>
          ))}
          {!small && (
            <>
              <text class="scale-name" x={edge.left} y={height - 6}>{t('analysis.axis')}</text>
              <text class="scale-number" x={width - edge.right} y={height - 9}>{analysis.actions}</text>
            </>
          )}
          <path class="here" d={`M${x(at)} ${edge.top - 2}V${height - edge.bottom + 2}`} />
          {lines.map((values, seat) => (
            <g key={seat} class={together ? 'of-all' : `of-${seat}`}>
              <path class="line" d={values.map((value, index) => `${index ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('')} />
              {!together && !small && values.length > 0 && <FlowerMark seat={seat} x={x(values.length - 1)} y={y(values.at(-1)!)} size={8} />}
            </g>
          ))}
          {points.map(({ turn, x, y }) => (
            <path key={turn.index} class="point" data-index={turn.index} d={small ? `M${x} ${y - 4}l4 4l-4 4l-4-4z` : `M${x} ${y - 6.5}l6.5 6.5l-6.5 6.5l-6.5-6.5z`} />
          ))}
        </svg>
      )}
    </div>
  );
}
