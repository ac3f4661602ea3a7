import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from './i18n';

interface Props { title: string; class?: string; onClose: (() => void) | null; children: ComponentChildren }

/** A modal dialog; the browser's own keeps focus inside and closes with Escape. */
export function Dialog({ title, class: name = '', onClose, children }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current!;
    const before = document.activeElement;
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.close();
      // The browser itself gives the focus back, but not once the dialog has left the page.
      if (before instanceof HTMLElement && document.activeElement?.matches('body')) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={`dialog ${name}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => event.target === box.current && onClose?.()}
    >
      <div class="dialog-body">
        <header>
          <h2>{title}</h2>
          {onClose && <button type="button" class="close" aria-label={t('app.close')} onClick={onClose}><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 5L19 19M19 5L5 19" /></svg></button>}
        </header>
        {children}
      </div>
    </dialog>
  );
}
