import { useEffect } from 'preact/hooks';
import type { LogEntry } from '../api/types';
import { t } from '../i18n';
import { story, type NameOf } from '../play/story';
import { useRoving } from './roving';
import { Sentences } from './Sentence';

interface Props { entries: LogEntry[]; takenBack: LogEntry | null; newsFrom: number; nameOf: NameOf; shown: number | null; onShow: (index: number) => void }

/** The log: latest below; each entry opens the table as it stood after it. */
export function Log({ entries, takenBack, newsFrom, nameOf, shown, onShow }: Props) {
  const list = useRoving<HTMLOListElement>('.shown button, li:last-child button');
  useEffect(() => {
    if (!list.current) return;
    if (shown === null) list.current.scrollTop = list.current.scrollHeight;
    else list.current.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [entries.length, takenBack, shown]);
  return (
    <section class="log" aria-label={t('table.log')}>
      <h2>{t('table.log')}</h2>
      {entries.length === 0 && <p class="quiet">{t('table.log.none')}</p>}
      <ol ref={list}>
        {entries.map((entry) => (
          <li key={entry.index} class={`${entry.index >= newsFrom ? 'new ' : ''}${shown === entry.index + 1 ? 'shown ' : ''}by-${entry.seat % 4}`}>
            <button type="button" title={t('log.show')} aria-current={shown === entry.index + 1 ? 'step' : undefined} onClick={() => onShow(entry.index + 1)}>
              <Sentences said={story(entry, nameOf)} />
            </button>
          </li>
        ))}
        {takenBack && (
          <li class={`taken-back new by-${takenBack.seat % 4}`}>
            {t('undo.log', { who: nameOf(takenBack.seat) })} <s><Sentences said={story(takenBack, nameOf)} /></s>
          </li>
        )}
      </ol>
    </section>
  );
}
