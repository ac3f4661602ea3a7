/** One place that speaks HTTP: every call answers with data or throws a Refusal or Unreachable. */
import { signal } from '@preact/signals';
import createClient from 'openapi-fetch';
import type { paths } from './schema';

/** The server understood and said no; `code` is what the page words in the reader's language. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly rule: string | null,
    readonly params: Record<string, unknown>,
  ) {
    super(code);
  }
}

/** No answer, or none that makes sense: try again later. */
export class Unreachable extends Error {}

export const client = createClient<paths>({ baseUrl: '/', cache: 'no-store' });

/** The server has another page than this one: it was updated since this one was loaded. */
export const outdated = signal(false);
/** How often a part of the page could not be fetched: a newer server has other ones, or there is no connection. */
export const missed = signal(0);
/** The address under which the server says it is reached, where it knows one. */
export const siteUrl = signal<string | null>(null);

client.use({
  onResponse({ response }) {
    const newest = response.headers.get('Stem-Branch-Page');
    const own = document.querySelector<HTMLScriptElement>('script[type=module][src*="/assets/"]');
    if (newest && own) outdated.value = !own.src.endsWith(newest);
    const site = response.headers.get('Stem-Branch-Url');
    if (site) siteUrl.value = `${site}/`;
  },
});

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** Marks that turn about the text around them. Letters that run from right to left do so without. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

function readable<T>(data: T): T {
  if (typeof data === 'string') return data.replace(TURNING, '') as T;
  if (Array.isArray(data)) return data.map(readable) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, readable(value)])) as T;
}

/** Unwraps an openapi-fetch answer, fit to be shown: a name cannot turn a sentence about. */
export const told = async <T extends Answer>(asked: Promise<T>): Promise<NonNullable<T['data']>> => readable(await exact(asked));

/** The same, letter for letter. */
export async function exact<T extends Answer>(asked: Promise<T>): Promise<NonNullable<T['data']>> {
  let answer: T;
  try {
    answer = await asked;
  } catch {
    throw new Unreachable();
  }
  if (answer.response.ok && answer.data !== undefined) return answer.data as NonNullable<T['data']>;
  const { status } = answer.response;
  const body = (typeof answer.error === 'object' && answer.error !== null ? answer.error : {}) as Record<string, unknown>;
  const full = body['code'] === 'too-many-games';
  if ((status >= 500 && !full) || typeof body['code'] !== 'string') throw new Unreachable();
  throw new Refusal(status, body['code'], (body['rule'] as string | null) ?? null, (body['params'] as Record<string, unknown>) ?? {});
}

export const bearer = (token: string | null | undefined): Record<string, string> =>
  token ? { Authorization: `Bearer ${token}` } : {};
