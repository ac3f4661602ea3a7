import { useState } from 'preact/hooks';
import * as api from '../api/calls';
import { Refusal } from '../api/client';
import type { CardName, GameRecord } from '../api/types';
import { levelName, t, tMaybe } from '../i18n';
import { useOnce } from '../once';
import { history, today, tryText } from '../play/daily';
import { beginAgainstComputer, createSolo, usualRival } from '../play/plan';
import { keepTokens } from '../play/seats';
import { go, linkTo } from '../route';
import { Card } from '../table/Card';
import { MyGames } from './MyGames';
import { faultText } from './NewGame';
import { PublicGames } from './PublicGames';

const SHOWN: CardName[] = ['water-cat', 'fire-snake', 'wood-mouse', 'earth-horse', 'metal-dragon'];

/** Games that begin with one press. */
function QuickStarts() {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const done = history.value[today()]?.[0];
  const begin = async (create: () => Promise<string>) => {
    setBusy(true);
    setFault(null);
    try {
      go('game', await create());
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <>
      <div class="quick-starts">
        <button type="button" class="tile" disabled={busy} onClick={() => begin(beginAgainstComputer)}>
          <b>{t('quick.computer')}</b>
          <span>{t('quick.computer.text', { level: levelName(usualRival()) })}</span>
        </button>
        <button type="button" class="tile" disabled={busy} onClick={() => begin(() => createSolo({ hints: true }))}>
          <b>{t('quick.solo')}</b>
          <span>{t('quick.solo.text')}</span>
        </button>
        <a class="tile" href={linkTo('daily')}>
          <b>{t('nav.daily')}</b>
          <span>{done ? tryText(done) : t('quick.daily.text')}</span>
        </a>
        <a class="tile" href={linkTo('new')}>
          <b>{t('quick.new')}</b>
          <span>{t('quick.new.text')}</span>
        </a>
      </div>
      {fault && <p class="warn" role="alert">{fault}</p>}
    </>
  );
}

function Import() {
  const [fault, setFault] = useState<string | null>(null);
  const [record, setRecord] = useState<GameRecord | null>(null);
  const [busy, once] = useOnce();
  const take = async (file: File | undefined) => {
    setFault(null);
    setRecord(null);
    if (!file) return;
    try {
      const read = JSON.parse(await file.text()) as GameRecord | null;
      if (!String(read?.format).startsWith('stem-branch/')) throw new TypeError('no game record');
      setRecord(read);
    } catch {
      setFault(t('home.import.bad'));
    }
  };
  const load = (purpose: 'play' | 'replay') => once(async () => {
    try {
      const { id, tokens } = await api.importRecord(record!, purpose);
      keepTokens(id, tokens);
      go('game', id);
      return true;
    } catch (error) {
      setFault(error instanceof Refusal ? tMaybe(`error.${error.code}`, t('home.import.bad')) : t('error.network'));
      return false;
    }
  });
  return (
    <div class="import">
      <label class="file">
        <input class="sr-only" type="file" accept="application/json,.json" onChange={(event) => void take(event.currentTarget.files?.[0])} />
        <span class="button small quiet-button">{t('home.import')}</span>
        <small>{t('home.import.hint')}</small>
      </label>
      {record && (
        <div class="picks">
          <button type="button" class="button small" disabled={busy} onClick={() => load('play')}>{t('home.import.play')}</button>
          <button type="button" class="button small quiet-button" disabled={busy} onClick={() => load('replay')}>{t('home.import.replay')}</button>
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
        <p><a class="button quiet-button" href={linkTo('learn')}>{t('lesson.enter')}</a></p>
        <div class="hero-cards" aria-hidden="true">{SHOWN.map((card) => <Card key={card} card={card} />)}</div>
      </section>
      <QuickStarts />
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
