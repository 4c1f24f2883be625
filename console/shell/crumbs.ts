import { useEffect, useSyncExternalStore } from "react";

/** What stands beside a page: pages of the same kind. */
export type SiblingsOf = "workspaces" | "places" | "settings" | "workflows" | "bases" | { runsOf: string };

export interface Crumb {
  title: string;
  /** Where it leads; none for what has no page. */
  href?: string | undefined;
  /** Offered at the crumb. */
  siblings?: SiblingsOf | undefined;
}

let current: readonly Crumb[] = [];
const NONE: readonly Crumb[] = [];
const listeners = new Set<() => void>();

function set(crumbs: readonly Crumb[]): void {
  current = crumbs;
  for (const listener of listeners) listener();
}

/** Adds crumbs after those of the route, such as the name of a workflow that the page has read. */
export function useAddCrumbs(crumbs: readonly Crumb[]): void {
  const text = JSON.stringify(crumbs);
  useEffect(() => {
    set(JSON.parse(text) as Crumb[]);
    return () => set(NONE);
  }, [text]);
}

export const useCrumbs = (): readonly Crumb[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
