import { useEffect, useSyncExternalStore } from "react";

/** The kinds of pages that the menu of a crumb can list. */
export type SiblingsOf = "workspaces" | "places" | "settings" | "workflows" | "bases" | { runsOf: string };

export interface Crumb {
  title: string;
  /** The address. Undefined for a crumb without a page. */
  href?: string | undefined;
  /** The pages in the menu of the crumb. */
  siblings?: SiblingsOf | undefined;
}

let current: readonly Crumb[] = [];
const NONE: readonly Crumb[] = [];
const listeners = new Set<() => void>();

function set(crumbs: readonly Crumb[]): void {
  current = crumbs;
  for (const listener of listeners) listener();
}

/** Adds crumbs after those of the route, such as the name of the open workflow. */
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
