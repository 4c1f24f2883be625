export { BuilderDocument, createDocument, type Edits, type HistoryMove } from "./document.ts";
export { type Command, type History, type ViewSnapshot, combinedCommand } from "./history.ts";
export * from "./state.ts";
export { pointerOf, valueAt, withValueAt } from "./pointer.ts";
export { asName, type Reference, referencesIn } from "./references.ts";
export {
  connect,
  disconnect,
  downstreamOf,
  edgeText,
  type Ends,
  into,
  outOf,
  reconnect,
  type Refusal,
  whyNot,
  withoutEdge,
} from "./commands/edges.ts";
export {
  deleteNodes,
  freeId,
  insertNode,
  insertOnEdge,
  insideOf,
  type NewNode,
  nodeLabel,
  putOnEdge,
  setDisabled,
  setName,
  setNodeValue,
  setParent,
} from "./commands/nodes.ts";
export { moveNodes, type Places, tidy } from "./commands/places.ts";
export { type Clip, clipFrom, clipIn, clipOf, foreignFrom, idsFor, paste } from "./commands/paste.ts";
export { namedBy, renameId } from "./commands/rename.ts";
export { addNote, deleteNotes, type Note, notesOf, placeOnCanvas, setNote, tieNote } from "./commands/notes.ts";
export { setMeta, setSetting } from "./commands/root.ts";
export { containersAround, isWithin, pathTo } from "./within.ts";
export { useDocument, useDocumentOf, useHistoryOf, useNode } from "./use-document.ts";
