import { type ComponentType, useEffect, useState } from "react";
import type { Problem } from "./states.tsx";
import type { ToastContent } from "./toast-content.ts";

/** Messages from before the toasts were loaded. */
const waiting: ToastContent[] = [];
let show: ((said: ToastContent) => void) | undefined;
let wanted: (() => void) | undefined;

function say(said: ToastContent): void {
  if (show) return show(said);
  waiting.push(said);
  wanted?.();
}

/** Shows the result of an action. Failures stay until the user closes them. */
export const toast = {
  done: (title: string, description?: string) => say({ title, description, failed: false }),
  failed: (title: string, description?: string) => say({ title, description, failed: true }),
  problem: ({ title, detail, code }: Problem) => say({ title, description: detail, failed: true, code }),
};

function ready(shows: (said: ToastContent) => void): void {
  show = shows;
  for (const said of waiting.splice(0)) shows(said);
}

/**
 * The first paint needs no toasts. They are loaded soon after it, because a toast may have to report that the service
 * is unavailable.
 */
const SOON_MS = 1_500;
const AGAIN_MS = 10_000;

type Toasts = ComponentType<{ onReady: typeof ready }>;

/** The place where toasts appear. */
export function ToastArea() {
  const [Loaded, setLoaded] = useState<Toasts>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const plan = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(load, ms);
    };
    const load = () =>
      void import("./toasts.tsx").then(
        ({ Toasts }) => setLoaded(() => Toasts),
        () => plan(AGAIN_MS),
      );
    wanted = () => plan(0);
    plan(waiting.length > 0 ? 0 : SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  return Loaded ? <Loaded onReady={ready} /> : null;
}
