import { useEffect, useEffectEvent } from "react";

const AT_MOST_MS = 3_000;
/** The delay in browsers without `requestIdleCallback`. */
const OTHERWISE_MS = 500;

/**
 * Preloads something that the user will need next, once the browser is idle. If that fails, it is loaded when it is
 * needed.
 */
export function useWhenIdle(ready: boolean, load: () => Promise<unknown>): void {
  const begin = useEffectEvent(() => void load().catch(() => undefined));
  useEffect(() => {
    if (!ready) return;
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(begin, OTHERWISE_MS);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(begin, { timeout: AT_MOST_MS });
    return () => cancelIdleCallback(handle);
  }, [ready]);
}
