import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Tip { text: string; box: DOMRect }

const HOVER_MS = 350;
const PRESS_MS = 500;
const MARGIN = 6;

/** What a symbol below the event means, if it says so. */
const meant = (event: Event): Element | null => (event.target instanceof Element ? event.target.closest('[data-tip]') : null);

/**
 * The one tooltip of the page: whatever carries `data-tip` is explained by hovering, by keyboard focus and by a
 * long press; Escape takes it away. It repeats for the eye what assistive technology is told by the symbols' names.
 */
export function Tips() {
  const [tip, setTip] = useState<Tip | null>(null);
  const bubble = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setTip(null);
    };
    const show = (symbol: Element) => setTip({ text: symbol.getAttribute('data-tip')!, box: symbol.getBoundingClientRect() });
    const soon = (symbol: Element, wait: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => show(symbol), wait);
    };
    const listeners: [keyof DocumentEventMap, (event: never) => void][] = [
      ['pointerover', (event: PointerEvent) => {
        if (event.pointerType !== 'mouse' || bubble.current?.contains(event.target as Node)) return;
        const symbol = meant(event);
        if (symbol) soon(symbol, HOVER_MS);
        else hide();
      }],
      ['pointerdown', (event: PointerEvent) => {
        hide();
        const symbol = event.pointerType === 'mouse' ? null : meant(event);
        if (symbol) soon(symbol, PRESS_MS);
      }],
      ['pointerup', () => clearTimeout(timer)],
      ['pointercancel', () => clearTimeout(timer)],
      ['focusin', (event: FocusEvent) => {
        const symbol = meant(event);
        if (symbol?.matches(':focus-visible')) show(symbol);
        else hide();
      }],
      ['focusout', hide],
      ['keydown', (event: KeyboardEvent) => event.key === 'Escape' && hide()],
      ['scroll', hide],
    ];
    for (const [name, listener] of listeners) document.addEventListener(name, listener as EventListener, true);
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of listeners) document.removeEventListener(name, listener as EventListener, true);
    };
  }, []);
  useLayoutEffect(() => {
    const shown = bubble.current;
    if (!tip || !shown) return;
    shown.showPopover?.(); // above an open dialog, too
    const { width, height } = shown.getBoundingClientRect();
    const left = tip.box.left + tip.box.width / 2 - width / 2;
    const above = tip.box.top - height - MARGIN;
    shown.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
    shown.style.top = `${above >= MARGIN ? above : tip.box.bottom + MARGIN}px`;
  }, [tip]);
  return tip && <div key={tip.text} ref={bubble} class="tip" role="tooltip" popover="manual">{tip.text}</div>;
}
