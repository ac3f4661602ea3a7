import { signal } from '@preact/signals';
import { missed, outdated } from './api/client';
import { t } from './i18n';

/** How many misses had been heard of when the reader chose to go on; null: not yet. */
const ignored = signal<number | null>(null);

/** An old page at a new server. It never reloads by itself: somebody may be in the middle of a choice. */
export function Outdated() {
  const missing = missed.value > (ignored.value ?? 0);
  if (!missing && (!outdated.value || ignored.value !== null)) return null;
  return (
    <div class="outdated" role={missing ? 'alert' : 'status'}>
      <p>{t(outdated.value ? 'app.outdated' : 'app.missed')}</p>
      <button type="button" class="button small" onClick={() => location.reload()}>{t('app.reload')}</button>
      <button type="button" class="button small quiet-button" onClick={() => (ignored.value = missed.value)}>{t('app.later')}</button>
    </div>
  );
}
