import { count } from "./count.ts";

/** The texts of the files of a workspace. */
export const words = {
  title: "Files",
  lead: "Files that people uploaded or runs created. Runs refer to a file by its id and never contain its bytes.",
  upload: "Upload files",
  uploaded: (n: number) => `${count(n, "file", "files")} uploaded`,
  sending: (name: string) => `Sending ${name}`,
  dropHere: "Drop files anywhere on this card to upload them.",
  empty: "No files yet",
  emptyDetail: "Upload one, or let a run create one.",
  used: (used: string, allowed: string) => `${used} of ${allowed} used`,
  usedOnly: (used: string) => `${used} used`,
  meter: "Storage of files",
  open: (name: string) => `Preview ${name}`,
  more: (name: string) => `More for ${name}`,
  download: "Download",
  copyId: "Copy reference",
  copied: "Copied. Paste it into the input of a run.",
  byRun: "from a run",
  remove: "Delete",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeDetail: "Runs and workflows that use it can no longer read it. It cannot be restored.",
  removed: (name: string) => `${name} was deleted`,
  noPreview: "This kind of file has no preview.",
  tooLarge: (limit: string) => `Files over ${limit} have no preview.`,
  cut: (limit: string) => `The first ${limit} are shown.`,
};
