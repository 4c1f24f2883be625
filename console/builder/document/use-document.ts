import { useSyncExternalStore } from "react";
import type { BuilderDocument } from "./document.ts";
import type { History } from "./history.ts";
import type { DocumentState, RawNode } from "./state.ts";

/** The state of a document. The component is drawn again at every edit. */
export const useDocument = (doc: BuilderDocument): DocumentState => useSyncExternalStore(doc.subscribe, doc.getState);

/**
 * One value of a document. The component is drawn again only when the value changes, so `pick` must return the same
 * object for the same content.
 */
export const useDocumentOf = <T>(doc: BuilderDocument, pick: (state: DocumentState) => T): T =>
  useSyncExternalStore(doc.subscribe, () => pick(doc.getState()));

/** One node of a document. Undefined if there is no node with this id. Edits of other nodes draw nothing again. */
export const useNode = (doc: BuilderDocument, id: string | undefined): RawNode | undefined =>
  useSyncExternalStore(doc.subscribe, () => (id === undefined ? undefined : doc.getState().nodes.get(id)));

/** One value of a document's history. */
export const useHistoryOf = <T>(doc: BuilderDocument, pick: (history: History) => T): T =>
  useSyncExternalStore(doc.subscribe, () => pick(doc.getHistory()));
