/** The five elements, told apart by outline, by mark (木 火 土 金 水, drawn) and by colour. */
import type { Element } from '../api/types';
import { elementName, t } from '../i18n';

/** Outlines about the origin, some 10 units in radius. */
const OUTLINES: Record<Element, string> = {
  wood: 'M-6.6-8.4a2.4 2.4 0 0 1 2.4-2.4h8.4a2.4 2.4 0 0 1 2.4 2.4v16.8a2.4 2.4 0 0 1-2.4 2.4h-8.4a2.4 2.4 0 0 1-2.4-2.4z',
  fire: 'M0-11.5c.8 0 1.3.4 1.7 1.1l9.6 17.4c.8 1.5 0 3-1.7 3h-19.2c-1.7 0-2.5-1.5-1.7-3l9.6-17.4c.4-.7.9-1.1 1.7-1.1z',
  earth: 'M-9.6-8.8a.8.8 0 0 1 .8-.8h17.6a.8.8 0 0 1 .8.8v17.6a.8.8 0 0 1-.8.8h-17.6a.8.8 0 0 1-.8-.8z',
  metal: 'M0-10.6a10.6 10.6 0 1 1 0 21.2a10.6 10.6 0 1 1 0-21.2z',
  water: 'M0-12.2c1.6 3.6 9.4 8.7 9.4 14.4a9.4 9 0 0 1-18.8 0c0-5.7 7.8-10.8 9.4-14.4z',
};

/** Brush strokes of the marks in a 12-unit box about the origin. */
const STROKES: Record<Element, string> = {
  wood: 'M-4.6-2.4H4.6M0-6.2V6.2M0-2.2Q-1.6 1.6-4.8 3.6M0-2.2Q1.6 1.6 4.8 3.6',
  fire: 'M-3.9-1.2L-2.7 1.2M3.9-1.6L2.6.6M0-5Q.2 1.6-4.4 5.8M.2.4Q1.6 4 4.4 5.8',
  earth: 'M-3.8-1.6H3.8M0-5.6V5.2M-5.6 5.2H5.6',
  metal: 'M0-6.2Q-1.9-3-5.6-1.2M0-6.2Q1.9-3 5.6-1.2M-2.7-1.4H2.7M-4 1.7H4M0-1.4V5.6M-2.8 3.2L-2.2 4.4M2.8 3.2L2.2 4.4M-5 5.8H5',
  water: 'M0-5.8V5.2L-1.5 4.2M-4.9-2.3H-1.7Q-2.5 1.7-5 3.9M4.4-4L1.1-1.4Q2.5 2 5.2 3.9',
};
const MARK: Record<Element, { y: number; size: number }> = {
  wood: { y: 0, size: 1.06 }, fire: { y: 2.9, size: 0.98 }, earth: { y: -0.2, size: 1.24 },
  metal: { y: 0, size: 1.16 }, water: { y: 2.2, size: 1.08 },
};

interface Place { element: Element; x?: number; y?: number; size: number }

/** The element's seal for use inside another drawing; `size` is its radius. */
export function ElementSeal({ element, x = 0, y = 0, size }: Place) {
  const mark = MARK[element];
  return (
    <g class={`seal seal-${element}`} transform={`translate(${x} ${y}) scale(${size / 11})`}>
      <path class="seal-outline" d={OUTLINES[element]} />
      <path class="seal-mark" d={STROKES[element]} transform={`translate(0 ${mark.y}) scale(${mark.size})`} />
    </g>
  );
}

/** An element token: the seal on a paper disc. */
export function ElementDisc({ element, x = 0, y = 0, size }: Place) {
  return (
    <g class={`disc disc-${element}`}>
      <circle cx={x} cy={y} r={size} />
      <ElementSeal element={element} x={x} y={y} size={size * 0.6} />
    </g>
  );
}

/** The token as a picture of its own. */
export function ElementToken({ element, label = true, lift }: { element: Element; label?: boolean; lift?: string | undefined }) {
  const name = elementName(element);
  return (
    <svg class="token" data-lift={lift} viewBox="-12 -12 24 24" {...(label ? { role: 'img', 'aria-label': name, 'data-tip': t('tip.element', { element: name }) } : { 'aria-hidden': true })}>
      <ElementDisc element={element} size={11.2} />
    </svg>
  );
}

export function ElementIcon({ element }: { element: Element }) {
  return (
    <svg class="icon" viewBox="-13 -13 26 26" aria-hidden="true">
      <ElementSeal element={element} size={11.5} />
    </svg>
  );
}
