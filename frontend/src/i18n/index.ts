import { batch, signal } from '@preact/signals';
import type { Animal, CardName, Element } from '../api/types';
import { cardInfo } from '../play/rules';
import type { MessageKey, Messages } from './en';

export type Language = 'en' | 'vi';
/** Only what is spoken is fetched. */
const CATALOGUES: Record<Language, () => Promise<Messages>> = {
  en: () => import('./en').then(({ en }) => en),
  vi: () => import('./vi').then(({ vi }) => vi),
};
export type { MessageKey };

const stored = (): Language => {
  const kept = globalThis.localStorage?.getItem('stem-branch.language');
  if (kept === 'en' || kept === 'vi') return kept;
  return globalThis.navigator?.language?.startsWith('vi') ? 'vi' : 'en';
};

export const language = signal<Language>(stored());
/** The language's messages; nothing is drawn before they are there. */
export const messages = signal<Messages>({} as Messages);

/** From now on the page speaks this language, once its messages have come. */
export async function speak(next: Language): Promise<void> {
  const found = await CATALOGUES[next]();
  batch(() => {
    language.value = next;
    messages.value = found;
  });
}

export async function setLanguage(next: Language): Promise<void> {
  await speak(next);
  localStorage.setItem('stem-branch.language', next);
}

export type Params = Record<string, string | number>;

export const fill = (message: string, params: Params = {}): string =>
  message.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole));

export const t = (key: MessageKey, params?: Params): string => fill(messages.value[key], params);

/** Is this string a message key? Codes, levels and options come from the server and may be newer than the page. */
export const has = (key: string): key is MessageKey => key in messages.value;

export const tMaybe = (key: string, otherwise: string, params?: Params): string =>
  has(key) ? t(key, params) : otherwise;

type CountedKey = { [K in MessageKey]: K extends `${infer Stem}.one` ? Stem : never }[MessageKey];

export const tCount = (stem: CountedKey, count: number): string =>
  t(`${stem}.${language.value === 'en' && count === 1 ? 'one' : 'other'}` as MessageKey, { count });

export const elementName = (element: Element): string => t(`element.${element}`);
export const animalName = (animal: Animal): string => t(`animal.${animal}`);

export function cardName(card: CardName): string {
  const [element, animal] = card.split('-') as [Element, Animal];
  return t('card.name', { element: elementName(element), animal: animalName(animal) });
}

export function cardLabel(card: CardName): string {
  const info = cardInfo(card);
  return t('card.label', { name: cardName(card), rank: info.rank, canchi: info.can_chi });
}

export const rankName = (rank: string): string => tMaybe(`rank.${rank}`, rank);
export const levelName = (player: string): string => tMaybe(`level.${player}`, player);

export const listOf = (items: string[]): string =>
  new Intl.ListFormat(language.value, { type: 'conjunction' }).format(items);

export const day = (iso: string): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${iso}T00:00:00Z`));

export const moment = (iso: string): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

export const percent = (share: number): string => new Intl.NumberFormat(language.value, { style: 'percent' }).format(share);

export const number = (value: number, digits = 0): string =>
  new Intl.NumberFormat(language.value, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

const UNITS = [['day', 24 * 60], ['hour', 60], ['minute', 1]] as const;

/** The largest unit that so many minutes fill, and how often. */
function unitOf(minutes: number): [(typeof UNITS)[number][0], number] {
  const [unit, size] = UNITS.find(([, length]) => minutes >= length) ?? UNITS[2];
  return [unit, Math.max(1, Math.round(minutes / size))];
}

/** How far off a moment is: "in 5 minutes". */
export function inTime(milliseconds: number): string {
  const [unit, count] = unitOf(Math.ceil(milliseconds / 60_000));
  return new Intl.RelativeTimeFormat(language.value).format(count, unit);
}

/** A length of time: "5 minutes". */
export function forTime(minutes: number): string {
  const [unit, count] = unitOf(minutes);
  return new Intl.NumberFormat(language.value, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
