/** Groups of buttons with one tab stop: the arrow keys go from each button to its neighbour on the screen. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const WAYS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 },
};
const SIDEWAYS = 2; // how much worse a step aside is than one ahead

const buttonsOf = (group: HTMLElement): HTMLButtonElement[] => [...group.querySelectorAll<HTMLButtonElement>('button:enabled')];

function middle(button: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = button.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** The nearest button in the direction of an arrow key. */
export function neighbour(from: HTMLElement, among: HTMLElement[], key: string): HTMLElement | undefined {
  const way = WAYS[key]!;
  const start = middle(from);
  return among
    .map((button) => {
      const { x, y } = middle(button);
      const ahead = (x - start.x) * way.x + (y - start.y) * way.y;
      const aside = Math.abs((x - start.x) * way.y) + Math.abs((y - start.y) * way.x);
      return { button, ahead, far: ahead + SIDEWAYS * aside };
    })
    .filter(({ button, ahead }) => button !== from && ahead > 1)
    .sort((a, b) => a.far - b.far)[0]?.button;
}

/** `inviting` selects the buttons with something to do now: the tab key stops at one of them. */
export function useRoving<T extends HTMLElement>(inviting: string): RefObject<T | null> {
  const group = useRef<T>(null);
  const last = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const buttons = buttonsOf(group.current!);
    const held = buttons.find((button) => button === document.activeElement);
    const before = buttons.find((button) => button === last.current);
    const stop = held ?? (before?.matches(inviting) ? before : buttons.find((button) => button.matches(inviting)) ?? before ?? buttons[0]);
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  });
  useEffect(() => {
    const box = group.current!;
    const focused = (event: FocusEvent) => {
      last.current = event.target as HTMLElement;
      for (const button of buttonsOf(box)) button.tabIndex = button === last.current ? 0 : -1;
    };
    const pressed = (event: KeyboardEvent) => {
      const from = event.target as HTMLElement;
      const buttons = buttonsOf(box);
      const next = event.key in WAYS ? neighbour(from, buttons, event.key) : event.key === 'Home' ? buttons[0] : event.key === 'End' ? buttons.at(-1) : undefined;
      if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      next.focus();
    };
    box.addEventListener('focusin', focused);
    box.addEventListener('keydown', pressed);
    return () => {
      box.removeEventListener('focusin', focused);
      box.removeEventListener('keydown', pressed);
    };
  }, []);
  return group;
}
