import { count } from "./count.ts";

/** What users call the common media types. */
const KINDS = new Map([
  ["application/json", "JSON"],
  ["application/msword", "Word"],
  ["application/pdf", "PDF"],
  ["application/vnd.ms-excel", "Excel"],
  ["application/vnd.openxmlformats-officedocument.presentationml.presentation", "PowerPoint"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Excel"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "Word"],
  ["application/zip", "ZIP"],
  ["image/gif", "GIF"],
  ["image/jpeg", "JPEG"],
  ["image/png", "PNG"],
  ["image/svg+xml", "SVG"],
  ["image/webp", "WebP"],
  ["text/csv", "CSV"],
  ["text/html", "HTML"],
  ["text/markdown", "Markdown"],
  ["text/plain", "Text"],
]);

/** The name of a media type. One without a name stands for itself. */
export const kindOf = (type: string): string => KINDS.get(type.split(";")[0]!.trim().toLowerCase()) ?? type;

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
