import type { CardName } from '../api/types';
import { AnimalStamp } from '../art/Animal';
import { ElementSeal } from '../art/Element';
import { cardLabel, cardName, elementName, t } from '../i18n';
import { cardInfo } from '../play/rules';

/** Drawn width and height of the two faces: a whole card, and a stamp for the board and other small places. */
export const FACE = { whole: { width: 92, height: 132 }, stamp: { width: 72, height: 92 } } as const;
export type Face = keyof typeof FACE;

function Rank({ rank, x, y, step, size }: { rank: number; x: number; y: number; step: number; size: number }) {
  return (
    <g data-tip={t('tip.rank', { rank })}>
      <rect class="reach" x={x - step} y={y - step / 2} width={step * 2} height={step * 5} />
      {[1, 2, 3, 4, 5].map((dot) => (
        <circle key={dot} class={dot <= rank ? 'dot' : 'dot off'} cx={x} cy={y + (dot - 1) * step} r={size} />
      ))}
    </g>
  );
}

/**
 * A card's face inside another drawing, its corner at 0, 0. Element and rank stand at the left edge: a card that
 * another one covers in the hand still shows them.
 */
export function CardFace({ card, face }: { card: CardName; face: Face }) {
  const info = cardInfo(card);
  const { width, height } = FACE[face];
  const whole = face === 'whole';
  return (
    <g class={`face face-${info.element}`}>
      <rect class="face-paper" width={width} height={height} rx={whole ? 8 : 7} />
      <rect class="face-frame" x="3.5" y="3.5" width={width - 7} height={height - 7} rx={whole ? 5 : 4.5} />
      {whole ? (
        <>
          <g data-tip={elementName(info.element)}><ElementSeal element={info.element} x={17} y={19} size={10.5} /></g>
          <Rank rank={info.rank} x={17} y={40} step={11} size={4.2} />
          <AnimalStamp animal={info.animal} x={55} y={60} size={56} />
          <text class="face-canchi" x={46} y={109}>{info.can_chi}</text>
          <text class="face-name" x={46} y={122}>{cardName(card)}</text>
        </>
      ) : (
        <>
          <g data-tip={elementName(info.element)}><ElementSeal element={info.element} x={15} y={16} size={9.5} /></g>
          <Rank rank={info.rank} x={15} y={33.5} step={8.6} size={3.5} />
          <AnimalStamp animal={info.animal} x={44} y={47} size={43} />
          <text class={`face-canchi small${info.can_chi.length > 7 ? ' long' : ''}`} x={36} y={84}>{info.can_chi}</text>
        </>
      )}
    </g>
  );
}

/** A card as a picture. */
export function Card({ card, face = 'whole' }: { card: CardName; face?: Face }) {
  const { width, height } = FACE[face];
  return (
    <svg class={`card card-${face}`} viewBox={`-1.5 -1.5 ${width + 3} ${height + 3}`} role="img" aria-label={cardLabel(card)}>
      <CardFace card={card} face={face} />
    </svg>
  );
}

export function CardBack({ label }: { label?: string }) {
  return (
    <svg class="card card-back" viewBox="-1.5 -1.5 95 135" {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}>
      <rect class="back-paper" width="92" height="132" rx="8" />
      <rect class="back-frame" x="6" y="6" width="80" height="120" rx="5" />
      <path class="back-vine" d="M46 120V14M46 100q-22-4-26-24q20 0 26 24M46 82q22-4 26-24q-20 0-26 24M46 62q-22-4-26-24q20 0 26 24M46 44q20-4 24-22q-18 0-24 22" />
    </svg>
  );
}

/** A card's name in running text, with its element's seal. */
export function CardChip({ card }: { card: CardName }) {
  const info = cardInfo(card);
  return (
    <span class={`chip chip-${info.element}`}>
      <svg class="icon" viewBox="-13 -13 26 26" aria-hidden="true"><ElementSeal element={info.element} size={11.5} /></svg>
      {cardName(card)}
    </span>
  );
}
