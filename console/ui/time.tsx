import { useSyncExternalStore } from "react";
import { durationText, fullTime, relativeTime } from "../messages/time.ts";

/** One clock for the page. A component that reads it renders again only when its own text changes. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function current(): number {
  // The clock stops without listeners, so it is set here.
  if (timer === undefined) now = Date.now();
  return now;
}

/** A text that depends on the time, updated every second. */
export const useClockText = (textAt: (now: number) => string): string =>
  useSyncExternalStore(subscribe, () => textAt(current()));

/** A time in relative words, with the exact time on hover. */
export function Time({ at }: { at: string }) {
  const text = useClockText(time => relativeTime(Date.parse(at), time));
  return (
    <time dateTime={at} title={fullTime(at)}>
      {text}
    </time>
  );
}

/** How long something took, or has taken so far. */
export function Duration({ from, to }: { from: string | null; to: string | null }) {
  const text = useClockText(time =>
    from === null ? "–" : durationText((to === null ? time : Date.parse(to)) - Date.parse(from)),
  );
  return <span>{text}</span>;
}
