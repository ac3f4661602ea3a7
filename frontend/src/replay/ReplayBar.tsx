import { useEffect, useState } from 'preact/hooks';
import type { Eyes } from '../api/calls';
import type { Game } from '../api/types';
import { t } from '../i18n';
import type { Session } from '../play/session';
import { story } from '../play/story';
import { linkToPosition } from '../route';
import { Sentences } from '../table/Sentence';
import { Graph } from './Graph';
import type { Study } from './study';

interface Props { session: Session; study: Study; game: Game; onAnalysis: () => void }

const STEP_MS = 1400;
const SPEEDS = [0.5, 1, 2, 4];

const ICONS = {
  first: 'M5 5h3v14H5zM19 5v14L9 12z',
  back: 'M15 5l-7 7l7 7',
  play: 'M7 4l12 8l-12 8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  on: 'M9 5l7 7l-7 7',
  last: 'M16 5h3v14h-3zM5 5l10 7l-10 7z',
  link: 'M9 15l6-6M11 7l2-2a4 4 0 0 1 6 6l-2 2M13 17l-2 2a4 4 0 0 1-6-6l2-2',
  graph: 'M3 20h18M4 15l5-6l5 4l6-8',
  done: 'M5 12l5 5l9-10',
  turnBack: 'M9 6l6 6l-6 6l-6-6zM21 6l-5 6l5 6',
  turnOn: 'M15 6l6 6l-6 6l-6-6zM3 6l5 6l-5 6',
} as const;

function Tool({ icon, label, drawn = false, disabled = false, onClick }: {
  icon: keyof typeof ICONS; label: string; drawn?: boolean; disabled?: boolean; onClick: () => void;
}) {
  return (
    <button type="button" class="pick tool" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      <svg class={`icon${drawn ? ' drawn' : ''}`} viewBox="0 0 24 24" aria-hidden="true"><path d={ICONS[icon]} /></svg>
    </button>
  );
}

/** Copies the link to the position shown. Without a secure address there is no clipboard, but the address bar has it. */
function CopyLink({ link }: { link: string }) {
  const [copied, setCopied] = useState('');
  const copy = async () => {
    await navigator.clipboard?.writeText(new URL(link, location.href).href);
    if (navigator.clipboard) setCopied(link);
  };
  return copied === link
    ? <Tool icon="done" drawn label={t('share.copied')} onClick={copy} />
    : <Tool icon="link" drawn label={t('replay.link')} onClick={copy} />;
}

/** Steps through what was played, in a game that is over, a replay, or back in a running one. */
export function ReplayBar({ session, study, game, onAnalysis }: Props) {
  const past = session.past.value;
  const last = game.actions_played;
  const index = past?.index ?? last;
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const nameOf = (seat: number) => game.seats[seat]!.name;
  const turning = study.turning.value;
  const turn = study.at(index);
  const told = turn && study.verdict(game, turn);
  const entry = session.log.value[index - 1];
  const here = t('table.position', { index });
  const go = (to: number): void => {
    setPlaying(false);
    void session.lookBack(Math.max(0, Math.min(last, to)));
  };
  useEffect(() => {
    if (!playing) return;
    if (index >= last) return setPlaying(false);
    const timer = setTimeout(() => void session.lookBack(index + 1), STEP_MS / speed);
    return () => clearTimeout(timer);
  }, [playing, index, speed, session.lost.value]);
  const play = async () => {
    if (!playing && index >= last) await session.lookBack(0);
    setPlaying(!playing);
  };
  const before = turning.filter((one) => one.index < index).at(-1);
  const next = turning.find((one) => one.index > index);
  const own: Eyes = game.replay || session.eyes.value === null ? 'all' : (String(session.eyes.value) as Eyes);
  return (
    <section class="action replay looking" aria-label={t('replay.title')}>
      <div class="action-text" aria-live={playing ? 'off' : 'polite'}>
        <p class="say where"><b>{here}</b> <small>{t('replay.of', { last })}</small>{told && <span class="outlook">{told.change}</span>}</p>
        {told ? (
          <p class="say verdict-line">
            {t('analysis.of', { number: turn.index + 1 })} <Sentences said={told.played} />. <span class="better">{t('analysis.better')} <Sentences said={told.better} /></span>
          </p>
        ) : (
          entry && <p class="say"><Sentences said={story(entry, nameOf)} /></p>
        )}
      </div>
      <div class="course">
        {turning.length > 0 && <Tool icon="turnBack" drawn label={t('replay.turning.prev')} disabled={!before} onClick={() => before && go(before.index)} />}
        <div>
          {study.analysis.value && <Graph small game={game} analysis={study.analysis.value} turning={turning} at={index} onGo={go} />}
          <input
            type="range"
            min={0}
            max={last}
            value={index}
            aria-label={t('replay.slider')}
            aria-valuetext={here}
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
        </div>
        {turning.length > 0 && <Tool icon="turnOn" drawn label={t('replay.turning.next')} disabled={!next} onClick={() => next && go(next.index)} />}
      </div>
      <div class="transport">
        <Tool icon="first" label={t('replay.first')} disabled={index === 0} onClick={() => go(0)} />
        <Tool icon="back" drawn label={t('table.position.prev')} disabled={index === 0} onClick={() => go(index - 1)} />
        <Tool icon={playing ? 'pause' : 'play'} label={t(playing ? 'replay.pause' : 'replay.play')} onClick={() => void play()} />
        <Tool icon="on" drawn label={t('table.position.next')} disabled={index >= last} onClick={() => go(index + 1)} />
        <Tool icon="last" label={t('replay.last')} disabled={index >= last} onClick={() => go(last)} />
      </div>
      <div class="tools">
        <select aria-label={t('replay.speed')} value={speed} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
          {SPEEDS.map((one) => <option key={one} value={one}>{one}×</option>)}
        </select>
        {session.allIsKnown && game.seats.length > 1 && (
          <select class="eyes" aria-label={t('replay.eyes')} value={past?.eyes ?? own} onChange={(event) => void session.lookBack(index, event.currentTarget.value as Eyes)}>
            <option value="all">{t('replay.eyes.all')}</option>
            {game.seats.map(({ seat, name }) => <option key={seat} value={seat}>{name}</option>)}
            <option value="spectator">{t('replay.eyes.spectator')}</option>
          </select>
        )}
        <CopyLink link={linkToPosition(game.id, { index, eyes: past?.eyes ?? null }, study.asked.value)} />
        {session.allIsKnown && <Tool icon="graph" drawn label={t('analysis.title')} onClick={onAnalysis} />}
        {!session.allIsKnown && <button type="button" class="button" onClick={session.lookNow}>{t('table.position.live')}</button>}
      </div>
    </section>
  );
}
