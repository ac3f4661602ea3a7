import { useEffect, useRef } from 'preact/hooks';

/** Does something now, every so many seconds while the page is seen, and at once when it is seen again. */
export function useFresh(work: () => Promise<void>, seconds: number, inputs: readonly unknown[]): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void latest.current();
    };
    look();
    const timer = setInterval(look, seconds * 1000);
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
    };
  }, [seconds, ...inputs]);
}
