import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n';
import { useOnce } from '../once';
import { beginAgainstComputer } from '../play/plan';
import { go, linkTo } from '../route';
import { endLesson, pointAt, STEPS, type Lesson } from './lesson';

const LOOK_MS = 120;

/** A ring around what is to be clicked next. It follows what moves, and is nothing to a screen reader. */
function Pointer({ selector }: { selector: string }) {
  const [box, setBox] = useState<DOMRect | null>(null);
  useEffect(() => {
    const look = () => {
      const next = document.querySelector(selector)?.getBoundingClientRect() ?? null;
      setBox((before) => (before && next && before.left === next.left && before.top === next.top && before.width === next.width ? before : next));
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [selector]);
  if (!box || document.querySelector('dialog[open]')) return null;
  return <div class="pointer" aria-hidden="true" style={{ left: `${box.left - 5}px`, top: `${box.top - 5}px`, width: `${box.width + 10}px`, height: `${box.height + 10}px` }} />;
}

/** Says what to do next, points at it, and waits. */
export function Coach({ lesson }: { lesson: Lesson }) {
  const { step, rivalPlays, wanted } = lesson;
  const [busy, once] = useOnce();
  const number = STEPS.indexOf(step) + 1;
  const draft = lesson.session.draft.value;
  const selector = step === 'aim' ? '.player.me' : wanted && lesson.session.canAct.value && !lesson.session.sending.value ? pointAt(draft, wanted) : null;
  const { mouse, horse } = lesson.spaces;
  const text = rivalPlays ? t('lesson.rival') : t(`lesson.${step}`, { mouse: mouse + 1, horse: horse + 1 });
  const end = () => {
    lesson.close();
    endLesson();
  };
  const leave = () => {
    end();
    go('home');
  };
  const play = async () => {
    const id = await beginAgainstComputer('beginner');
    end();
    go('game', id);
  };
  return (
    <section class="coach" aria-label={t('lesson.title')}>
      <header>
        <h2>{t(`lesson.${step}.title`)}</h2>
        <progress max={STEPS.length} value={number} aria-label={t('lesson.step', { number, all: STEPS.length })} />
        <small aria-hidden="true">{number}/{STEPS.length}</small>
      </header>
      <div role="status">
        <p>{text}</p>
        {lesson.strayed.value > 0 && <p class="stray" key={lesson.strayed.value}>{t('lesson.stray')}</p>}
      </div>
      <div class="coach-buttons">
        {step === 'aim' && <button type="button" class="button" onClick={lesson.begin}>{t('lesson.begin')}</button>}
        {selector && step !== 'aim' && (
          <button type="button" class="pick" onClick={() => document.querySelector<HTMLElement>(selector)?.focus()}>{t('lesson.show')}</button>
        )}
        {step === 'end' ? (
          <>
            <button type="button" class="button" disabled={busy} onClick={() => once(() => lesson.session.attempt(play))}>{t('lesson.play')}</button>
            <a class="pick" href={linkTo('rules')} onClick={end}>{t('nav.rules')}</a>
          </>
        ) : (
          <button type="button" class="link" onClick={leave}>{t('lesson.skip')}</button>
        )}
      </div>
      {selector && <Pointer selector={selector} />}
    </section>
  );
}
