import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/calls';
import { Refusal, Unreachable } from '../api/client';
import type { CardName, Game, GameRecord, GameSummary } from '../api/types';
import { listOf, levelName, moment, t, tMaybe } from '../i18n';
import { forget, keepTokens, mySeats, shelf, tokenOf } from '../play/seats';
import { go, linkTo } from '../route';
import { Card } from '../table/Card';

type Line = Pick<GameSummary, 'id' | 'mode' | 'seats' | 'seat_to_act' | 'over' | 'actions_played' | 'updated_at'>;

const SHOWN: CardName[] = ['water-cat', 'fire-snake', 'wood-mouse', 'earth-horse', 'metal-dragon'];

function GameLine({ line, mine, onForget }: { line: Line; mine: number[]; onForget: (() => void) | null }) {
  const kind = line.mode === 'competitive' ? 'competitive' : line.seats.length === 1 ? 'solo' : 'cooperative';
  const myTurn = line.seat_to_act !== null && mine.includes(line.seat_to_act);
  const open = line.seats.some((seat) => seat.player === 'open');
  const label = mine.length ? t('home.open') : open ? t('home.join') : t('home.watch');
  return (
    <li class="game-line">
      <a href={linkTo('game', line.id)}>
        <b>{listOf(line.seats.map((seat) => (seat.player === 'human' || seat.name === levelName(seat.player) ? seat.name : `${seat.name} (${levelName(seat.player)})`)))}</b>
        <span>
          {t(`mode.${kind}`)} · {line.over ? t('home.over') : t('home.running', { count: line.actions_played })} · {moment(line.updated_at)}
        </span>
      </a>
      {myTurn && <strong class="badge">{t('home.yourturn')}</strong>}
      <a class="button small" href={linkTo('game', line.id)}>{label}</a>
      {onForget && (
        <button type="button" class="close" aria-label={t('home.forget')} title={t('home.forget')} onClick={onForget}>
          <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6L18 18M18 6L6 18" /></svg>
        </button>
      )}
    </li>
  );
}

/** Games kept on this device, newest first; one that the server no longer has is let go. */
function MyGames() {
  const [games, setGames] = useState<Game[] | null>(null);
  const ids = Object.entries(shelf.value).sort((a, b) => b[1].opened.localeCompare(a[1].opened)).map(([id]) => id);
  useEffect(() => {
    let gone = false;
    const read = async (id: string): Promise<Game | null> => {
      try {
        return (await api.readGame(id, tokenOf(id, mySeats(id)[0] ?? null))).game;
      } catch (fault) {
        if (fault instanceof Refusal && fault.status === 404) forget(id);
        return null;
      }
    };
    void Promise.all(ids.slice(0, 20).map(read)).then((all) => !gone && setGames(all.filter((game) => game !== null)));
    return () => {
      gone = true;
    };
  }, [ids.join()]);
  if (!games) return <p class="quiet">{t('app.loading')}</p>;
  if (!games.length) return <p class="quiet">{t('home.mine.none')}</p>;
  return (
    <ul class="game-list">
      {games.map((game) => <GameLine key={game.id} line={game} mine={mySeats(game.id)} onForget={() => forget(game.id)} />)}
    </ul>
  );
}

function PublicGames() {
  const [games, setGames] = useState<GameSummary[]>([]);
  const [cursor, setCursor] = useState<string | null | undefined>(undefined);
  const more = async (from: string | null) => {
    try {
      const page = await api.listGames(from);
      setGames((before) => (from ? [...before, ...page.games] : page.games));
      setCursor(page.next_cursor);
    } catch (fault) {
      if (!(fault instanceof Unreachable)) throw fault;
    }
  };
  useEffect(() => void more(null), []);
  if (!games.length) return <p class="quiet">{t('home.public.none')}</p>;
  return (
    <>
      <ul class="game-list">{games.map((game) => <GameLine key={game.id} line={game} mine={mySeats(game.id)} onForget={null} />)}</ul>
      {cursor && <button type="button" class="link" onClick={() => more(cursor)}>{t('home.more')}</button>}
    </>
  );
}

function Import() {
  const [fault, setFault] = useState<string | null>(null);
  const [record, setRecord] = useState<GameRecord | null>(null);
  const take = async (file: File | undefined) => {
    setFault(null);
    setRecord(null);
    if (!file) return;
    try {
      setRecord(JSON.parse(await file.text()) as GameRecord);
    } catch {
      setFault(t('home.import.bad'));
    }
  };
  const load = async (purpose: 'play' | 'replay') => {
    try {
      const { id, tokens } = await api.importRecord(record!, purpose);
      keepTokens(id, tokens);
      go('game', id);
    } catch (error) {
      setFault(error instanceof Refusal ? tMaybe(`error.${error.code}`, t('home.import.bad')) : t('error.network'));
    }
  };
  return (
    <div class="import">
      <label class="file">
        <input class="sr-only" type="file" accept="application/json,.json" onChange={(event) => void take(event.currentTarget.files?.[0])} />
        <span class="button small quiet-button">{t('home.import')}</span>
        <small>{t('home.import.hint')}</small>
      </label>
      {record && (
        <div class="picks">
          <button type="button" class="button small" onClick={() => load('play')}>{t('home.import.play')}</button>
          <button type="button" class="button small quiet-button" onClick={() => load('replay')}>{t('home.import.replay')}</button>
        </div>
      )}
      {fault && <p class="warn" role="alert">{fault}</p>}
    </div>
  );
}

export function Home() {
  return (
    <div class="sheet home">
      <section class="hero">
        <h1>{t('app.title')}</h1>
        <p>{t('home.lead')}</p>
        <a class="button main" href={linkTo('new')}>{t('home.new')}</a>
        <div class="hero-cards" aria-hidden="true">{SHOWN.map((card) => <Card key={card} card={card} />)}</div>
      </section>
      <section>
        <h2>{t('home.mine')}</h2>
        <MyGames />
      </section>
      <section>
        <h2>{t('home.public')}</h2>
        <PublicGames />
      </section>
      <section><Import /></section>
    </div>
  );
}
