/** The calls about ladders. */
import { bearer, client, told } from '../api/client';
import type { paths } from '../api/schema';
import type { GameRecord } from '../api/types';

export type NewLadder = paths['/api/v1/ladders']['post']['requestBody']['content']['application/json'];
export type Change = 'pause' | 'resume' | 'stop';

const of = (id: string) => ({ params: { path: { ladder_id: id } } });

export const listLadders = () => told(client.GET('/api/v1/ladders'));
export const readLadder = (id: string) => told(client.GET('/api/v1/ladders/{ladder_id}', of(id)));

export const listMatches = (id: string, after: number) =>
  told(client.GET('/api/v1/ladders/{ladder_id}/matches', { params: { path: { ladder_id: id }, query: { after, limit: 20 } } }));

export const readLadderRecord = (id: string, match: number, game: number): Promise<GameRecord> =>
  told(
    client.GET('/api/v1/ladders/{ladder_id}/matches/{match}/games/{game}/record', {
      params: { path: { ladder_id: id, match, game } },
    }),
  );

export const beginLadder = (body: NewLadder, token: string) =>
  told(client.POST('/api/v1/ladders', { body, headers: bearer(token) }));

export const changeLadder = (id: string, change: Change, token: string) =>
  told(
    client.POST('/api/v1/ladders/{ladder_id}/{change}', {
      params: { path: { ladder_id: id, change } },
      headers: bearer(token),
    }),
  );
