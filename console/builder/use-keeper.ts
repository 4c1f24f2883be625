import { useEffect, useState, useSyncExternalStore } from "react";
import { readStored, saveWorkflow, type WorkflowAddress } from "../data/builder.ts";
import { draftStore } from "../data/draft-store.ts";
import { isStale, problemOf } from "../data/problem.ts";
import { remoteDrafts } from "../data/remote-drafts.ts";
import type { BuilderDocument } from "./document/index.ts";
import { type Base, type Conflict, Keeper, type Ports, type SaveState } from "./keeper.ts";

function portsFor(at: WorkflowAddress, userId: string): Ports {
  return {
    save: (change, etag) => saveWorkflow(at, change, etag),
    newest: () => readStored(at),
    keepHere: draft => draftStore.keep(userId, at.id, draft),
    dropHere: () => draftStore.drop(userId, at.id),
    async keepThere(draft) {
      await remoteDrafts.keep(at, draft);
      await draftStore.noteThere(userId, at.id, draft.at);
    },
    dropThere: () => remoteDrafts.drop(at),
    isConflict: isStale,
    words(error) {
      const { title, detail } = problemOf(error);
      return detail === "" ? title : `${title}. ${detail}`;
    },
  };
}

/** Keeps a document while the page shows it. */
export function useKeeper(doc: BuilderDocument, base: Base, at: WorkflowAddress, userId: string): Keeper {
  const [keeper] = useState(() => new Keeper(doc, base, portsFor(at, userId)));
  useEffect(() => {
    const leave = () => void keeper.flush();
    const look = () => document.hidden && leave();
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", look);
    return () => {
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", look);
      void keeper.flush();
    };
  }, [keeper]);
  return keeper;
}

export const useSaveState = (keeper: Keeper): SaveState => useSyncExternalStore(keeper.subscribe, keeper.getState);
export const useConflict = (keeper: Keeper): Conflict | undefined =>
  useSyncExternalStore(keeper.subscribe, keeper.getConflict);
export const useBase = (keeper: Keeper): Base => useSyncExternalStore(keeper.subscribe, keeper.getBase);
