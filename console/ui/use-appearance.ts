import { useSyncExternalStore } from "react";

const QUERIES = ["(prefers-color-scheme: dark)", "(forced-colors: active)"];

function subscribe(listener: () => void): () => void {
  const lists = QUERIES.map(query => matchMedia(query));
  const theme = new MutationObserver(listener);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  for (const list of lists) list.addEventListener("change", listener);
  return () => {
    theme.disconnect();
    for (const list of lists) list.removeEventListener("change", listener);
  };
}

const read = () => [document.documentElement.dataset.theme, ...QUERIES.map(query => matchMedia(query).matches)].join();

/** Returns a text that changes when the colours of the page change. */
export const useAppearance = (): string => useSyncExternalStore(subscribe, read);
