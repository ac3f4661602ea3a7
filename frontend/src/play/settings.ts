/** How this device likes to play; kept in localStorage. */
import { signal, type Signal } from '@preact/signals';

function kept(name: string, otherwise: boolean): Signal<boolean> {
  const key = `stem-branch.${name}`;
  const setting = signal((localStorage.getItem(key) ?? String(otherwise)) === 'true');
  setting.subscribe((value) => localStorage.setItem(key, String(value)));
  return setting;
}

/** Off: whatever a click leaves only one way to complete is played at once. */
export const confirming = kept('confirm', true);

/** Keys that are a character by themselves, which speech input may utter without meaning it. */
export const characterKeys = kept('character-keys', true);

/** A tone when it becomes one's turn. */
export const sounding = kept('sound', false);
