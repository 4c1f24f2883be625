import { useEffect, useState, useSyncExternalStore } from "react";
import { readStored, saveWorkflow, type WorkflowAddress } from "../data/builder.ts";
import { draftStore } from "../data/draft-store.ts";
import { onSignOut } from "../data/open-drafts.ts";
import { isStale, mayPass, problemOf } from "../data/problem.ts";
import { remoteDrafts } from "../data/remote-drafts.ts";
import type { BuilderDocument } from "./document/index.ts";
import type { Base, Conflict, Ports, SaveState } from "./draft.ts";
import { Keeper } from "./keeper.ts";

function portsFor(at: WorkflowAddress, userId: string): Ports {
  return {
    save: (change, etag) => saveWorkflow(at, change, etag),
    newest: () => readStored(at),
    keepHere: draft => draftStore.keep(userId, at.id, draft),
    dropHere: () => draftStore.drop(userId, at.id),
    async keepThere(draft) {
      const { revision } = await remoteDrafts.keep(at, draft);
      await draftStore.note(userId, at.id, { at: draft.at, revision });
    },
    // If the service could not be reached, the note stays, so that the draft is recognised as obsolete at the next
    // opening.
    async dropThere() {
      await remoteDrafts.drop(at);
      await draftStore.note(userId, at.id, undefined);
    },
    isConflict: isStale,
    mayPass,
    words(error) {
      const { title, detail } = problemOf(error);
      return detail === "" ? title : `${title}. ${detail}`;
    },
  };
}

/** Stores the changes of a document while the page shows it. */
export function useKeeper(
  doc: BuilderDocument,
  base: Base,
  at: WorkflowAddress,
  userId: string,
  message: string | undefined,
): Keeper {
  const [keeper] = useState(() => new Keeper(doc, base, portsFor(at, userId), message));
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const leave = () => void keeper.flush();
    addEventListener("pagehide", leave, { signal });
    addEventListener("online", () => keeper.retry(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && leave(), { signal });
    const forget = onSignOut(() => keeper.flush());
    return () => {
      left.abort();
      forget();
      void keeper.handOver();
    };
  }, [keeper]);
  return keeper;
}

export const useSaveState = (keeper: Keeper): SaveState => useSyncExternalStore(keeper.subscribe, keeper.getState);
/** One value of the save state. */
export const useSaveStateOf = <T>(keeper: Keeper, pick: (state: SaveState) => T): T =>
  useSyncExternalStore(keeper.subscribe, () => pick(keeper.getState()));
/** Whether there are unsaved changes. */
export const useIsDraft = (keeper: Keeper): boolean => useSaveStateOf(keeper, ({ kind }) => kind !== "saved");
export const useConflict = (keeper: Keeper): Conflict | undefined =>
  useSyncExternalStore(keeper.subscribe, keeper.getConflict);
export const useBase = (keeper: Keeper): Base => useSyncExternalStore(keeper.subscribe, keeper.getBase);
export const useMessage = (keeper: Keeper): string => useSyncExternalStore(keeper.subscribe, keeper.getMessage);
