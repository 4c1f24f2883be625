import { useEffect, useState, useSyncExternalStore } from "react";
import { readWorkflow, saveWorkflow, type WorkflowAddress } from "../data/builder.ts";
import { draftStore } from "../data/draft-store.ts";
import { onSignOut } from "../data/open-drafts.ts";
import { isStale, mayPass, problemOf } from "../data/problem.ts";
import { remoteDrafts } from "../data/remote-drafts.ts";
import type { BuilderDocument } from "./document/index.ts";
import { DraftSaver } from "./draft-saver.ts";
import type { Base, Conflict, SaverPorts, SaveState } from "./draft.ts";

function portsFor(at: WorkflowAddress, userId: string): SaverPorts {
  return {
    save: (change, etag) => saveWorkflow(at, change, etag),
    newest: () => readWorkflow(at),
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
export function useDraftSaver(
  doc: BuilderDocument,
  base: Base,
  at: WorkflowAddress,
  userId: string,
  message: string | undefined,
): DraftSaver {
  const [saver] = useState(() => new DraftSaver(doc, base, portsFor(at, userId), message));
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const leave = () => void saver.flush();
    addEventListener("pagehide", leave, { signal });
    addEventListener("online", () => saver.retry(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && leave(), { signal });
    const forget = onSignOut(() => saver.flush());
    return () => {
      left.abort();
      forget();
      void saver.handOver();
    };
  }, [saver]);
  return saver;
}

export const useSaveState = (saver: DraftSaver): SaveState => useSyncExternalStore(saver.subscribe, saver.getState);
/** One value of the save state. */
export const useSaveStateOf = <T>(saver: DraftSaver, pick: (state: SaveState) => T): T =>
  useSyncExternalStore(saver.subscribe, () => pick(saver.getState()));
/** Whether there are unsaved changes. */
export const useIsDraft = (saver: DraftSaver): boolean => useSaveStateOf(saver, ({ kind }) => kind !== "saved");
export const useConflict = (saver: DraftSaver): Conflict | undefined =>
  useSyncExternalStore(saver.subscribe, saver.getConflict);
export const useBase = (saver: DraftSaver): Base => useSyncExternalStore(saver.subscribe, saver.getBase);
export const useMessage = (saver: DraftSaver): string => useSyncExternalStore(saver.subscribe, saver.getMessage);
