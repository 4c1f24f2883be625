import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { file, MAX_FILE_NAME } from "../entities/file.ts";
import { usedByName } from "../entities/limits-used.ts";
import { id, nothing, page, pageInput } from "../primitives.ts";

/** A name for people, without the folders of the sender's machine. */
export const fileName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_FILE_NAME)
  // eslint-disable-next-line no-control-regex
  .regex(/^[^/\\\u0000-\u001f\u007f]+$/, "Expected a file name without slashes and control characters");

/** What a stored object needs to be read: its size, and its sealed key. */
const bytes = { size: z.int().min(0), sha256: z.string().length(64), key: z.string() };
const located = z.object({ id, name: z.string(), type: z.string(), ...bytes });

/** Bytes in the store of files that are not yet a file. */
export const receivedBytes = z.object({ id, ...bytes });

/** `file`: people see it. `value`: a large value of a run, which only the run shows. */
const kind = z.enum(["file", "value"]);

/** What keeps a file: a run, a workflow whose definition names it, or the sample of a step. */
const owner = z.string().regex(/^(execution|workflow|sample):[0-9a-f-]{36}$/);

export const MAX_HELD = 10_000;

export const filesActions = {
  "files.create": inWorkspace(
    "editor",
    { name: fileName, contentType: z.string().max(200).optional(), upload: id },
    file,
  ),
  "files.list": inWorkspace("viewer", { ...pageInput }, page(file)),
  "files.remove": inWorkspace("editor", { id }, nothing),
  /** What the gateway needs to send the file to a member. */
  "files.open": inWorkspace("viewer", { id }, located),
  /** Begins an upload, whose bytes the gateway stores. Errors: limit_reached. */
  "files.begin": inWorkspace(
    "editor",
    { name: fileName, contentType: z.string().max(200).optional() },
    z.object({ uploadId: id }),
  ),
  "files.discard": action("internal", { workspaceId: id, uploadId: id }, nothing),
  /** Makes room for an object, before its first byte is stored. Errors: limit_reached. */
  "files.reserve": action("internal", { workspaceId: id }, z.object({ id })),
  /** The bytes of an upload are stored. Errors: conflict, limit_reached. */
  "files.uploaded": action("internal", { workspaceId: id, id, ...bytes }, nothing),
  /** Publishes stored bytes as a file. Errors: conflict, limit_reached. */
  "files.add": action(
    "internal",
    {
      workspaceId: id,
      id,
      ...bytes,
      kind,
      name: z.string(),
      type: z.string(),
      createdBy: id.nullable(),
      owner: owner.optional(),
      /** A run is about to hold the file. If none does, it is removed soon. */
      brief: z.boolean().optional(),
    },
    file,
  ),
  /** Publishes an upload as a file that its owner holds. Errors: conflict, payload_too_large. */
  "files.publish": action(
    "internal",
    {
      workspaceId: id,
      upload: id,
      name: z.string(),
      contentType: z.string().max(200).optional(),
      owner,
      createdBy: id,
      maxBytes: z.int().min(0).optional(),
    },
    file,
  ),
  /** What a node needs to read the bytes. Errors: not_found. */
  "files.locate": action("internal", { workspaceId: id, id, kind: kind.optional() }, located, { reads: true }),
  /** Keeps files for as long as their owner exists. Gives the ids that exist in the workspace. */
  "files.hold": action(
    "internal",
    { workspaceId: id, ids: z.array(id).max(MAX_HELD), owner },
    z.object({ held: z.array(id) }),
  ),
  /**
   * The owners are gone, or name only the files `except` any more. Files that nothing else holds are removed after a day.
   */
  "files.release": action(
    "internal",
    { workspaceId: id, owners: z.array(owner).max(1_000), except: z.array(id).max(MAX_HELD).optional() },
    nothing,
  ),
  /** Whether the store of files can be written to. */
  "files.state": action(
    "internal",
    {},
    z.object({ store: z.enum(["folder", "s3", "gridfs"]), state: z.enum(["ok", "down"]) }),
    { reads: true },
  ),
  /** What the workspace uses of the limits of this service, by their names. */
  "files.usage": action("internal", { workspaceId: id }, usedByName, { reads: true }),
  "files.purge": action("internal", { workspaceId: id }, nothing),
};
