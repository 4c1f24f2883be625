import { defineCollection, type DocumentOf, where } from "../../adapters/store/define-collection.ts";
import { date, number, oneOf, optional, optionalOrNull, sealed, string } from "../../adapters/store/field-types.ts";
import { file } from "../../contracts/entities/file.ts";
import { FILE_KEYS } from "../../service-kit/files.ts";
import { presenter } from "../../service-kit/present.ts";

/**
 * `incoming`: the bytes are arriving. `uploaded`: they are stored. `stored`: the file is published. `doomed`: it is
 * being removed.
 */
const STATES = ["incoming", "uploaded", "stored", "doomed"] as const;

/**
 * A file. The document exists before the first byte of its object. The name of the object consists of both ids, so the
 * sweep finds every object.
 */
export const files = defineCollection({
  name: "files",
  tenant: true,
  fields: {
    state: oneOf(STATES),
    kind: optional(oneOf(["file", "value"])),
    name: optional(string()),
    type: optional(string()),
    size: optional(number()),
    sha256: optional(string()),
    key: optional(sealed(FILE_KEYS)),
    /** A digest of the content, name, type and kind. It identifies the same file when it arrives again. */
    content: optional(string()),
    /** The file is kept at least until this time. Unset while something holds the file. */
    keepUntil: optional(date()),
    createdBy: optionalOrNull(string()),
    createdAt: date(),
  },
  indexes: [
    [
      { workspaceId: 1, content: 1 },
      { unique: true, ...where("content") },
    ],
    [{ workspaceId: 1, kind: 1, _id: -1 }, where("kind")],
    [{ keepUntil: 1, _id: 1 }, where("keepUntil")],
  ],
});
export type FileDoc = DocumentOf<typeof files>;

/** Something that holds a file: a run, a workflow, or the sample of a step. */
export const fileHolds = defineCollection({
  name: "fileHolds",
  tenant: true,
  fields: {
    fileId: string(),
    owner: string(),
    /** The time when the sweep next checks that the owner exists. */
    checkAt: date(),
  },
  indexes: [[{ workspaceId: 1, fileId: 1 }], [{ workspaceId: 1, owner: 1 }], [{ checkAt: 1, _id: 1 }]],
});
export type HoldDoc = DocumentOf<typeof fileHolds>;

/** The number of bytes that a workspace stores. The id is the workspace's. */
export const fileUsage = defineCollection({ name: "fileUsage", tenant: true, fields: { bytes: number() } });

/** A published file. */
export type PublishedFile = FileDoc & Required<Pick<FileDoc, "name" | "type" | "size" | "sha256" | "key">>;

export const presentFile = presenter(file, files, doc => {
  const { name, type, size, sha256 } = doc as PublishedFile;
  return { name, type, size, sha256 };
});
