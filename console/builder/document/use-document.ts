import { useSyncExternalStore } from "react";
import type { BuilderDocument } from "./document.ts";
import type { History } from "./history.ts";
import type { DocumentState, RawNode } from "./state.ts";

/** The state of a document. The component is drawn again at every edit. */
export const useDocument = (doc: BuilderDocument): DocumentState => useSyncExternalStore(doc.subscribe, doc.getState);

/** One node of a document; undefined where it has none of this id. Edits of other nodes draw nothing. */
export const useNode = (doc: BuilderDocument, id: string | undefined): RawNode | undefined =>
  useSyncExternalStore(doc.subscribe, () => (id === undefined ? undefined : doc.getState().nodes.get(id)));

export const useHistory = (doc: BuilderDocument): History => useSyncExternalStore(doc.subscribe, doc.getHistory);
