/**
 * Dragging does what clicks do: it presses what is lifted, the place where it is dropped, or the button that stands
 * for both. So everything that a click respects (what is legal, what is lit, confirmation) holds for dragging, too.
 * `data-lift` marks what is no card: tokens that pay, tokens to be gained, stacks that may move.
 */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

const LIFTS_AFTER_PX = 8;

interface Kind {
  /** What may be lifted. */
  from: string;
  /** Where it may be dropped. */
  to: string;
  lift?: (source: HTMLElement) => void;
  drop: (source: HTMLElement, place: HTMLElement) => void;
  /** Is the choice given up when it is dropped elsewhere? */
  back?: boolean;
}

const press = (selector: string): void => document.querySelector<HTMLElement>(selector)?.click();

const KINDS: Kind[] = [
  { from: '.in-hand.may-pay button, .in-hand.may-discard button', to: '.action', drop: (card) => card.click() },
  {
    from: '.in-hand.open button, .in-hand.chosen button',
    to: '.space-button.is-target',
    lift: (card) => card.getAttribute('aria-pressed') !== 'true' && card.click(),
    drop: (_, space) => space.click(),
    back: true,
  },
  { from: '.card-button.offered', to: '.hand', drop: (card) => card.click() },
  { from: '[data-lift=pay]', to: '.action', drop: () => press('.pay-token[aria-pressed=false]:enabled') },
  {
    from: '[data-lift=stack]',
    to: '.space-button.is-target, [data-lift=stack]',
    lift: (stack) => stack.matches('.is-target') && stack.click(),
    // Put down where it was, nothing moves.
    drop: (stack, space) => (space === stack ? press('[data-move-to=none]') : space.click()),
  },
  { from: '[data-lift]', to: '.player.me', drop: (token) => press(`[data-source="${token.dataset['lift']}"]`) },
];

const at = (event: PointerEvent, selector: string): HTMLElement | null =>
  document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest<HTMLElement>(selector)).find(Boolean) ?? null;

export function useDrag(table: RefObject<HTMLElement | null>, cancel: () => void): void {
  useEffect(() => {
    const box = table.current!;
    let stop: (() => void) | null = null;
    const down = (event: PointerEvent) => {
      const source = (event.target as Element).closest<HTMLElement>('.card-button, [data-lift]');
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

/** What is seen of the thing; what lies on a space is drawn below the space's button. */
function looks(source: HTMLElement): Element[] {
  const stack = document.querySelector(`[data-stack="${source.dataset['space']}"]`);
  if (!stack) return source.matches('svg') ? [source] : [...source.querySelectorAll('svg')].filter((svg) => svg.checkVisibility());
  const frame = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  frame.setAttribute('viewBox', [source.offsetLeft, source.offsetTop, source.offsetWidth, source.offsetHeight].join(' '));
  frame.append(stack.cloneNode(true));
  return [frame];
}

/** One press of the pointer, from going down to coming up; answers with how to break it off. */
function follow(box: HTMLElement, source: HTMLElement, kind: Kind, down: PointerEvent, cancel: () => void): () => void {
  let picture: HTMLElement | null = null;
  const lift = () => {
    const { left, top, width, height } = source.getBoundingClientRect();
    picture = document.createElement('div');
    picture.className = 'dragged';
    picture.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    picture.append(...looks(source).map((one) => one.cloneNode(true)));
    kind.lift?.(source);
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
  // A press must become neither a selection of text nor the browser's own dragging of one.
  const still = (event: Event) => event.preventDefault();
  const end = () => {
    removeEventListener('selectstart', still);
    removeEventListener('dragstart', still);
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
    if (place) kind.drop(source, place);
    else if (kind.back) cancel();
  };
  addEventListener('selectstart', still);
  addEventListener('dragstart', still);
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', end);
  return end;
}
