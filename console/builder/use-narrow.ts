import { useSyncExternalStore } from "react";

const query = typeof matchMedia === "undefined" ? undefined : matchMedia("(max-width: 719px)");

/** Whether the screen is too narrow for editing: then the outline is shown, read only. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    listener => {
      query?.addEventListener("change", listener);
      return () => query?.removeEventListener("change", listener);
    },
    () => query?.matches ?? false,
  );
