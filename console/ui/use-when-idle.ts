import { useEffect, useEffectEvent } from "react";

const AT_MOST_MS = 3_000;
/** For browsers that do not tell when they are idle. */
const OTHERWISE_MS = 500;

/** Loads what the person will need next, once the browser has drawn what the page shows first. What fails is loaded when it is needed. */
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
