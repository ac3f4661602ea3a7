/** Components that are fetched beside the first table, not before it. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { missed } from './api/client';
import { t } from './i18n';

type Parts = typeof import('./parts');
type PropsOf<Name extends keyof Parts> = Parts[Name] extends () => unknown ? object : Parameters<Parts[Name]>[0];

const parts = signal<Parts | null>(null);

/** Asked for before they are needed: a click need not wait for them, and a newer server cannot take them away. */
export async function fetchParts(): Promise<void> {
  parts.value ??= await import('./parts');
}

/** Once the table can be seen there is time for the rest. */
export function useParts(): void {
  useEffect(() => {
    const idle = globalThis.requestIdleCallback ?? setTimeout;
    idle(() => void fetchParts().catch(() => undefined));
  }, []);
}

/** Until it is there a page says that it is coming; a dialog stays shut (`silent`). */
export function later<Name extends keyof Parts>(name: Name, silent = false) {
  return function Later(props: PropsOf<Name>) {
    useEffect(() => void fetchParts().catch(() => (missed.value += 1)), []);
    const Part = parts.value?.[name] as unknown as ComponentType<object> | undefined;
    if (Part) return <Part {...props} />;
    return silent ? null : <p class="notice" role="status">{t('app.loading')}</p>;
  };
}
