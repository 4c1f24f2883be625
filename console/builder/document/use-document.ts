import { useSyncExternalStore } from "react";
import type { BuilderDocument } from "./document.ts";
import type { History } from "./history.ts";
import type { DocumentState, RawNode } from "./state.ts";

/** The state of a document. The component is drawn again at every edit. */
export const useDocument = (doc: BuilderDocument): DocumentState => useSyncExternalStore(doc.subscribe, doc.getState);

/**
 * One thing of a document. The component is drawn again only where it changes, so what is picked has to be the same
 * value while the document says the same.
 */
export const useDocumentOf = <T>(doc: BuilderDocument, pick: (state: DocumentState) => T): T =>
  useSyncExternalStore(doc.subscribe, () => pick(doc.getState()));

/** One node of a document; undefined where it has none of this id. Edits of other nodes draw nothing. */
export const useNode = (doc: BuilderDocument, id: string | undefined): RawNode | undefined =>
  useSyncExternalStore(doc.subscribe, () => (id === undefined ? undefined : doc.getState().nodes.get(id)));

/** One thing of a document's history. */
export const useHistoryOf = <T>(doc: BuilderDocument, pick: (history: History) => T): T =>
  useSyncExternalStore(doc.subscribe, () => pick(doc.getHistory()));
