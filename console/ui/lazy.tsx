import { type ComponentType, type ReactNode, use, useEffect, useState } from "react";

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 10_000;
/** After so long without a failure, the next one is reported again. */
const REPORT_MS = 60_000;

let failedAt = -Infinity;
let tell: () => void = () => undefined;

/** Sets how the page tells its user that the code of a part could not be loaded. */
export const onFailedPart = (tells: () => void): void => void (tell = tells);

function report(): void {
  const isNew = performance.now() - failedAt > REPORT_MS;
  failedAt = performance.now();
  if (isNew) tell();
}

/** Whether a style sheet has loaded. Of one that did not, browsers give no rules, or an error when they are read. */
function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return Boolean(sheet?.cssRules);
  } catch {
    return false;
  }
}

/** The bundler requests each style sheet once. This replaces those that did not load, so that they are requested again. */
const loadStylesAgain = async (): Promise<void> => {
  const failed = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].filter(
    link => !hasRules(link),
  );
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

/** What a component that is displayed shows while its code cannot be loaded, and does after each failure. */
export interface Fallback {
  Meanwhile: ComponentType;
  onFailure: () => void;
}

/** A part of a page is left out, and the user is told. */
const LEFT_OUT: Fallback = { Meanwhile: () => null, onFailure: report };

/** A promise that React does not wait for: it reads these two properties. */
const settled = <Value,>(value: Value): Promise<Value> =>
  Object.assign(Promise.resolve(value), { status: "fulfilled", value });

/**
 * A component whose code is loaded when it is first shown, like React's `lazy`. React throws a failure to load, which
 * replaces the whole page, and keeps it for ever. This one shows the fallback and tries again until the service
 * answers. `preload` loads the code before, and is silent about failures.
 */
export function lazy<Module extends Record<Name, Component>, Name extends string = "default">(
  load: () => Promise<Module>,
  name = "default" as Name,
  { Meanwhile, onFailure }: Fallback = LEFT_OUT,
): Module[Name] & { preload: () => Promise<void> } {
  /** It gives undefined after a failure. */
  let code: Promise<Component | undefined> | undefined;
  let hasFailed = false;
  const start = async (): Promise<Component | undefined> => {
    hasFailed = false;
    try {
      return (await load())[name];
    } catch {
      hasFailed = true;
      return undefined;
    }
  };

  function Lazy(props: object) {
    const Part = use((code ??= start()));
    const [, draw] = useState(0);
    useEffect(() => {
      if (Part) return;
      onFailure();
      let pause = FIRST_PAUSE_MS;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const again = async (): Promise<void> => {
        const loaded = await loadStylesAgain().then(start, () => undefined);
        if (loaded) code = settled(loaded);
        if (timer === undefined) return;
        if (loaded) return draw(count => count + 1);
        onFailure();
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        timer = setTimeout(() => void again(), pause);
      };
      timer = setTimeout(() => void again(), pause);
      return () => {
        clearTimeout(timer);
        timer = undefined;
      };
    }, [Part]);
    return Part ? <Part {...props} /> : <Meanwhile />;
  }

  const preload = async () => {
    if (hasFailed) code = undefined;
    const started = (code ??= start());
    const loaded = await started;
    if (code === started) code = settled(loaded);
  };
  return Object.assign(Lazy, { preload }) as unknown as Module[Name] & { preload: typeof preload };
}
