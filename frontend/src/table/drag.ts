/**
 * Dragging does what clicks do: it presses the card as it is lifted and the place it is dropped on.
 * So everything that a click respects (what is legal, what is lit, confirmation) holds for dragging, too.
 */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

const LIFTS_AFTER_PX = 8;

interface Kind {
  /** What may be lifted. */
  from: string;
  /** Where it may be dropped. */
  to: string;
  /** Is the card pressed when it is lifted, and the place when it is dropped? Else the card, when dropped. */
  places: boolean;
}

const KINDS: Kind[] = [
  { from: '.in-hand.may-pay button, .in-hand.may-discard button', to: '.action', places: false },
  { from: '.in-hand.open button, .in-hand.chosen button', to: '.space-button.is-target', places: true },
  { from: '.card-button.offered', to: '.hand', places: false },
];

const at = (event: PointerEvent, selector: string): HTMLElement | null =>
  document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest<HTMLElement>(selector)).find(Boolean) ?? null;

export function useDrag(table: RefObject<HTMLElement | null>, cancel: () => void): void {
  useEffect(() => {
    const box = table.current!;
    let stop: (() => void) | null = null;
    const down = (event: PointerEvent) => {
      const source = (event.target as Element).closest<HTMLElement>('.card-button');
      const kind = KINDS.find(({ from }) => source?.matches(from));
      if (!source || !kind || event.button !== 0 || !event.isPrimary) return;
      stop?.();
      stop = follow(box, source, kind, event, cancel);
    };
    box.addEventListener('pointerdown', down);
    return () => {
      stop?.();
      box.removeEventListener('pointerdown', down);
    };
  }, []);
}

/** One press of the pointer, from going down to coming up; answers with how to break it off. */
function follow(box: HTMLElement, source: HTMLElement, kind: Kind, down: PointerEvent, cancel: () => void): () => void {
  let picture: HTMLElement | null = null;
  const lift = () => {
    if (kind.places && source.getAttribute('aria-pressed') !== 'true') source.click();
    const { left, top, width, height } = source.getBoundingClientRect();
    picture = document.createElement('div');
    picture.className = 'dragged';
    picture.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    picture.append(...[...source.querySelectorAll('svg')].filter((svg) => svg.checkVisibility()).map((svg) => svg.cloneNode(true)));
    document.body.append(picture);
    source.classList.add('lifted');
    box.dataset['drag'] = kind.to;
  };
  const move = (event: PointerEvent) => {
    const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!picture && Math.hypot(x, y) < LIFTS_AFTER_PX) return;
    if (!picture) lift();
    picture!.style.transform = `translate(${x}px, ${y}px) rotate(2deg)`;
    for (const one of box.querySelectorAll('.drop')) one.classList.remove('drop');
    at(event, kind.to)?.classList.add('drop');
  };
  const end = () => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', up);
    removeEventListener('pointercancel', end);
    picture?.remove();
    source.classList.remove('lifted');
    for (const one of box.querySelectorAll('.drop')) one.classList.remove('drop');
    delete box.dataset['drag'];
  };
  const up = (event: PointerEvent) => {
    const dragged = picture !== null;
    const place = dragged ? at(event, kind.to) : null;
    end();
    if (!dragged) return;
    // The browser's own click after a drag must not press the card again.
    const swallow = (click: MouseEvent) => click.isTrusted && click.stopPropagation();
    addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', swallow, { capture: true }));
    if (place) (kind.places ? place : source).click();
    else if (kind.places) cancel();
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', end);
  return end;
}
