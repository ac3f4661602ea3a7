import { Dialog } from '../Dialog';
import { t } from '../i18n';

const KEYS = [
  ['Tab', 'keys.tab'], ['← ↑ → ↓', 'keys.arrows'], ['Enter', 'keys.enter'], ['Esc', 'keys.escape'], ['?', 'keys.help'],
] as const;

/** What keys, mouse and fingers do at the table. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('keys.title')} class="keys" onClose={onClose}>
      <dl>
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <p>{t('keys.click')}</p>
      <p>{t('keys.drag')}</p>
      <p>{t('keys.list')}</p>
    </Dialog>
  );
}
