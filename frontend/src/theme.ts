import { signal } from '@preact/signals';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'stem-branch.theme';
const kept = localStorage.getItem(KEY);

export const theme = signal<Theme>(THEMES.find((one) => one === kept) ?? 'auto');

export function applyTheme(): void {
  if (theme.value === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
}

export function setTheme(next: Theme): void {
  theme.value = next;
  localStorage.setItem(KEY, next);
  applyTheme();
}
