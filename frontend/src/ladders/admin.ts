/** The administrator's token, kept for as long as this tab is open. */
import { signal } from '@preact/signals';

const KEY = 'stem-branch.admin';

export const admin = signal(sessionStorage.getItem(KEY) ?? '');

export function setAdmin(token: string): void {
  admin.value = token;
  sessionStorage.setItem(KEY, token);
}
