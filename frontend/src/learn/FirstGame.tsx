import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n';
import { myName } from '../play/seats';
import { Table } from '../table/Table';
import { endLesson, openLesson, type Lesson } from './lesson';

/** The interactive first game, where it was left or from its start. */
export function FirstGame() {
  const [tried, setTried] = useState(0);
  const [lesson, setLesson] = useState<Lesson | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    let opened: Lesson | null = null;
    setFailed(false);
    openLesson([myName() || t('lesson.you'), t('lesson.name')]).then(
      (found) => {
        if (gone) return found.close();
        opened = found;
        setLesson(found);
      },
      () => setFailed(true),
    );
    return () => {
      gone = true;
      opened?.close();
    };
  }, [tried]);
  const missing = lesson?.session.missing.value ?? false;
  useEffect(() => {
    if (!missing) return;
    endLesson(); // the server no longer knows it
    setLesson(null);
    setTried(tried + 1);
  }, [missing]);
  if (failed) {
    return (
      <div class="notice" role="alert">
        <p>{t('error.network')}</p>
        <button type="button" class="button" onClick={() => setTried(tried + 1)}>{t('app.retry')}</button>
      </div>
    );
  }
  if (!lesson || missing) return <p class="notice" role="status">{t('app.loading')}</p>;
  return <Table key={lesson.id} id={lesson.id} lesson={lesson} />;
}
