/** The calls the page makes, one function each. */
import { bearer, client, exact, told } from './client';
import type { components, paths } from './schema';
import type { Action, ActionList, Analysis, Game, GameRecord, Hint, LogEntry, Position, TakenBack } from './types';

type Token = string | null | undefined;

export type NewGame = paths['/api/v1/games']['post']['requestBody']['content']['application/json'];
export type SeatPlayer = NewGame['seats'][number]['player'];
export type Replacement =
  paths['/api/v1/games/{game_id}/seats/{seat}/leave']['post']['requestBody']['content']['application/json']['replacement'];

export async function askRules() {
  const { cards, boards, players, ...options } = await told(client.GET('/api/v1/rules'));
  return { cards: new Map(cards.map((card) => [card.name, card])), boards, levels: players, options };
}

export const createGame = (body: NewGame, token: Token = null) => told(client.POST('/api/v1/games', { headers: bearer(token), body }));

export const importRecord = (record: GameRecord, purpose: 'play' | 'replay') =>
  told(client.POST('/api/v1/imports', { body: { record, purpose } }));

export type ListedState = NonNullable<NonNullable<paths['/api/v1/games']['get']['parameters']['query']>['state']>;

export const listGames = (state: ListedState | null, cursor: string | null) =>
  told(client.GET('/api/v1/games', { params: { query: { limit: 20, ...(state ? { state } : {}), ...(cursor ? { cursor } : {}) } } }));

export interface Fresh { game: Game | null; etag: string | null }

/** A poll: `game` is null when nothing has changed since `etag`. */
export async function readGame(id: string, token: Token, etag: string | null = null): Promise<Fresh> {
  const asked = client.GET('/api/v1/games/{game_id}', {
    params: { path: { game_id: id } },
    headers: { ...bearer(token), ...(etag ? { 'If-None-Match': etag } : {}) },
  });
  let unchanged = false;
  const game = await told(
    asked.then((answer) => {
      unchanged = answer.response.status === 304;
      if (unchanged) return { ...answer, data: {} as Game, response: new Response('{}') };
      etag = answer.response.headers.get('ETag');
      return answer;
    }),
  );
  return { game: unchanged ? null : game, etag };
}

export const readChoices = (id: string, token: Token) =>
  told(client.GET('/api/v1/games/{game_id}/choices', { params: { path: { game_id: id } }, headers: bearer(token) }));

/** The whole log after an index, page by page, and what has been taken back of it. */
export async function readLog(id: string, token: Token, after: number): Promise<{ entries: LogEntry[]; undone: TakenBack[] }> {
  const entries: LogEntry[] = [];
  let undone: TakenBack[] = [];
  for (let from: number | null = after; from !== null; ) {
    const page: ActionList = await told(
      client.GET('/api/v1/games/{game_id}/actions', {
        params: { path: { game_id: id }, query: { after: from, limit: 100 } },
        headers: bearer(token),
      }),
    );
    entries.push(...page.actions);
    undone = page.undone;
    from = page.next_after;
  }
  return { entries, undone };
}

export const readLegalActions = (id: string, token: Token) =>
  told(client.GET('/api/v1/games/{game_id}/legal-actions', { params: { path: { game_id: id } }, headers: bearer(token) }));

/** Whose eyes a position is seen with. */
export type Eyes = NonNullable<NonNullable<paths['/api/v1/games/{game_id}/positions/{index}']['get']['parameters']['query']>['seat']>;

export const readPosition = (id: string, token: Token, index: number, eyes: Eyes | null = null): Promise<Position> =>
  told(
    client.GET('/api/v1/games/{game_id}/positions/{index}', {
      params: { path: { game_id: id, index }, query: eyes === null ? {} : { seat: eyes } },
      headers: bearer(token),
    }),
  );

export const act = (id: string, token: Token, expected_version: number, action: Action, key: string) =>
  told(
    client.POST('/api/v1/games/{game_id}/actions', {
      params: { path: { game_id: id } },
      headers: { ...bearer(token), 'Idempotency-Key': key },
      body: { expected_version, action },
    }),
  );

const ofGame = (id: string, token: Token) => ({ params: { path: { game_id: id } }, headers: bearer(token) });

export const askHint = (id: string, token: Token): Promise<Hint> => told(client.POST('/api/v1/games/{game_id}/hint', ofGame(id, token)));
export const readHint = (id: string, token: Token): Promise<Hint> => told(client.GET('/api/v1/games/{game_id}/hint', ofGame(id, token)));

export const askAnalysis = (id: string, token: Token): Promise<Analysis> =>
  told(client.POST('/api/v1/games/{game_id}/analysis', ofGame(id, token)));
export const readAnalysis = (id: string, token: Token): Promise<Analysis> =>
  told(client.GET('/api/v1/games/{game_id}/analysis', ofGame(id, token)));

export const undo = (id: string, token: Token, expected_version: number) =>
  told(
    client.POST('/api/v1/games/{game_id}/undo', {
      params: { path: { game_id: id } },
      headers: bearer(token),
      body: { expected_version },
    }),
  );

export const readRecord = (id: string, token: Token) =>
  exact(client.GET('/api/v1/games/{game_id}/record', { params: { path: { game_id: id } }, headers: bearer(token) }));

export const joinSeat = (id: string, seat: number, name: string) =>
  told(
    client.POST('/api/v1/games/{game_id}/seats/{seat}/join', {
      params: { path: { game_id: id, seat } },
      body: { name },
    }),
  );

export const leaveSeat = (id: string, token: Token, seat: number, replacement: Replacement) =>
  told(
    client.POST('/api/v1/games/{game_id}/seats/{seat}/leave', {
      params: { path: { game_id: id, seat } },
      headers: bearer(token),
      body: { replacement },
    }),
  );

/** A computer player for somebody who counts as absent; asked by another seat. */
export const replaceSeat = (id: string, token: Token, seat: number, replacement: Replacement) =>
  told(
    client.POST('/api/v1/games/{game_id}/seats/{seat}/replace', {
      params: { path: { game_id: id, seat } },
      headers: bearer(token),
      body: { replacement },
    }),
  );

export type DailyDeal = components['schemas']['DailyDeal'];

export const askDaily = (): Promise<DailyDeal> => told(client.GET('/api/v1/daily'));

export const askAlmanac = (date: string) => told(client.GET('/api/v1/almanac', { params: { query: { date } } }));
