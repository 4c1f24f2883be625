import { type ReactNode, use, useEffect, useState } from "react";

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 10_000;
/** After so long without a failure, the next one is reported again. */
const REPORT_MS = 60_000;

let failedAt = -Infinity;
let tell: () => void = () => undefined;

/** Sets how the page tells its user that the code of a part could not be loaded. */
export const onFailedPart = (tells: () => void): void => void (tell = tells);

function report(): undefined {
  const isNew = performance.now() - failedAt > REPORT_MS;
  failedAt = performance.now();
  if (isNew) tell();
}

/** The bundler requests each style sheet once. This replaces those that did not load, so that they are requested again. */
const loadStylesAgain = async (): Promise<void> => {
  const failed = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].filter(({ sheet }) => !sheet);
  await Promise.all(
    failed.map(
      link =>
        new Promise((loaded, refused) => {
          const next = link.cloneNode() as HTMLLinkElement;
          next.onload = loaded;
          next.onerror = refused;
          link.replaceWith(next);
        }),
    ),
  );
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- components take any properties
type Component = (props: any) => ReactNode;

/**
 * A component whose code is loaded when it is first shown, like React's `lazy`. React throws a failure to load, which
 * replaces the whole page, and keeps it for ever. This one shows nothing and tries again until the service answers.
 */
export function lazy<Module extends Record<Name, Component>, Name extends string = "default">(
  load: () => Promise<Module>,
  name = "default" as Name,
): Module[Name] {
  /** Undefined: the code could not be loaded. */
  let attempt: Promise<Component | undefined> | undefined;
  const start = () => load().then(module => module[name] as Component, report);

  return function Lazy(props: object) {
    const Part = use((attempt ??= start()));
    const [, draw] = useState(0);
    useEffect(() => {
      if (Part) return;
      let pause = FIRST_PAUSE_MS;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const again = async (): Promise<void> => {
        const next = loadStylesAgain().then(start, report);
        const isLoaded = (await next) !== undefined;
        if (isLoaded) attempt = next;
        if (timer === undefined) return;
        if (isLoaded) return draw(count => count + 1);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        timer = setTimeout(() => void again(), pause);
      };
      timer = setTimeout(() => void again(), pause);
      return () => {
        clearTimeout(timer);
        timer = undefined;
      };
    }, [Part]);
    return Part ? <Part {...props} /> : null;
  } as Module[Name];
}
