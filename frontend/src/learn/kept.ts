/** What this device remembers of the first game. */
const KEY = 'stem-branch.lesson';

export interface Kept { id: string; rival: string; begun: boolean }

export const read = (): Kept | null => JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null;
export const keep = (kept: Kept): void => localStorage.setItem(KEY, JSON.stringify(kept));
export const drop = (): void => localStorage.removeItem(KEY);

/** The lesson that this device is in the middle of. */
export const lessonId = (): string | null => read()?.id ?? null;
