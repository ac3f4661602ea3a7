import type { LadderStanding } from '../api/types';
import { number, t } from '../i18n';

const WIDTH = 640;
const NAMES = 170;
const ROW = 30;

/** Each player's rating with its interval, on one scale. */
export function RatingChart({ standings, method }: { standings: LadderStanding[]; method: string }) {
  const low = Math.min(...standings.map((line) => line.low));
  const high = Math.max(...standings.map((line) => line.high));
  const across = (value: number): number => NAMES + 12 + ((WIDTH - NAMES - 30) * (value - low)) / Math.max(high - low, 1e-9);
  const label = t('ladder.chart', { method });
  return (
    <svg class="rating-chart" role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${ROW * standings.length + 26}`}>
      {standings.map((line, at) => {
        const y = ROW * at + ROW / 2;
        return (
          <g key={line.name}>
            <text class="rating-name" x={NAMES} y={y + 5}>{line.name.length > 20 ? `${line.name.slice(0, 19)}…` : line.name}</text>
            <line class="rating-rule" x1={NAMES + 12} x2={WIDTH - 18} y1={y} y2={y} />
            <line class="rating-span" x1={across(line.low)} x2={across(line.high)} y1={y} y2={y} />
            <circle class="rating-point" cx={across(line.rating)} cy={y} r="6" />
          </g>
        );
      })}
      <text class="rating-end" x={NAMES + 12} y={ROW * standings.length + 18}>{number(low)}</text>
      <text class="rating-end last" x={WIDTH - 18} y={ROW * standings.length + 18}>{number(high)}</text>
    </svg>
  );
}
