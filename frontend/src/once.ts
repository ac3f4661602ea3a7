import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * For what a second press must not do again. `run` takes work that tells whether it succeeded, and no other until it has
 * failed or, after a success, until something else is shown: `shown` is what that depends on.
 */
export function useOnce(shown: unknown = null): [busy: boolean, run: (work: () => Promise<boolean>) => Promise<void>] {
  const under = useRef(false);
  const [busy, setBusy] = useState(false);
  const set = (now: boolean) => {
    under.current = now;
    setBusy(now);
  };
  useEffect(() => set(false), [shown]);
  const run = async (work: () => Promise<boolean>): Promise<void> => {
    if (under.current) return;
    set(true);
    if (!(await work())) set(false);
  };
  return [busy, run];
}
