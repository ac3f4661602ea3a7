import { useState } from 'preact/hooks';
import { outdated } from './api/client';
import { t } from './i18n';

/** An old page at a new server. It never reloads by itself: somebody may be in the middle of a choice. */
export function Outdated() {
  const [later, setLater] = useState(false);
  if (!outdated.value || later) return null;
  return (
    <div class="outdated" role="status">
      <p>{t('app.outdated')}</p>
      <button type="button" class="button small" onClick={() => location.reload()}>{t('app.reload')}</button>
      <button type="button" class="button small quiet-button" onClick={() => setLater(true)}>{t('app.later')}</button>
    </div>
  );
}
