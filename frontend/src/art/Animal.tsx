import type { Animal } from '../api/types';
import { animalName, t } from '../i18n';
import { ANIMAL_PATHS } from './animals';

/** An animal as an ink stamp, centred at x, y. */
export function AnimalStamp({ animal, x, y, size }: { animal: Animal; x: number; y: number; size: number }) {
  const scale = size / 512;
  return (
    <path class="stamp" d={ANIMAL_PATHS[animal]} transform={`translate(${x - size / 2} ${y - size / 2}) scale(${scale})`} />
  );
}

/** An animal token: gold on a lacquered ink disc. */
export function AnimalToken({ animal, label = true, off = false }: { animal: Animal; label?: boolean; off?: boolean }) {
  const name = animalName(animal);
  return (
    <svg
      class={`token animal-token${off ? ' off' : ''}`}
      viewBox="-12 -12 24 24"
      {...(label ? { role: 'img', 'aria-label': name, 'data-tip': t('tip.animal', { animal: name }) } : { 'aria-hidden': true })}
    >
      <circle r="11.2" />
      <AnimalStamp animal={animal} x={0} y={0} size={15} />
    </svg>
  );
}
