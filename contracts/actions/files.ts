import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { file, MAX_FILE_NAME } from "../entities/file.ts";
import { usedByName } from "../entities/limits-used.ts";
import { id, nothing, page, pageInput } from "../primitives.ts";

/** A file name for display, without the folders of the sender's machine. */
export const fileName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_FILE_NAME)
  // eslint-disable-next-line no-control-regex
  .regex(/^[^/\\\u0000-\u001f\u007f]+$/, "Expected a file name without slashes and control characters");

/** The facts that are needed to read a stored object: its size, and its sealed key. */
const bytes = { size: z.int().min(0), sha256: z.string().length(64), key: z.string() };
const located = z.object({ id, name: z.string(), type: z.string(), ...bytes });

/** Stored bytes that are not a file yet. */
export const receivedBytes = z.object({ id, ...bytes });

/** `file`: visible to people. `value`: a large value of a run, visible only in the run. */
const kind = z.enum(["file", "value"]);

/** The owner of a hold on a file: a run, a workflow whose definition refers to the file, or the sample of a step. */
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
  /** The facts that the gateway needs to send the file to a member. */
  "files.open": inWorkspace("viewer", { id }, located),
  /** Begins an upload. The gateway stores its bytes. Errors: limit_reached. */
  "files.begin": inWorkspace(
    "editor",
    { name: fileName, contentType: z.string().max(200).optional() },
    z.object({ uploadId: id }),
  ),
  "files.discard": action("internal", { workspaceId: id, uploadId: id }, nothing),
  /** Reserves space for an object before its first byte is stored. Errors: limit_reached. */
  "files.reserve": action("internal", { workspaceId: id }, z.object({ id })),
  /** Reports that the bytes of an upload are stored. Errors: conflict, limit_reached. */
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
      /** True if a run is about to hold the file. If none does, the file is removed soon. */
      brief: z.boolean().optional(),
    },
    file,
  ),
  /** Publishes an upload as a file, and holds it for its owner. Errors: conflict, payload_too_large. */
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
  /** The facts that a node needs to read the bytes. Errors: not_found. */
  "files.locate": action("internal", { workspaceId: id, id, kind: kind.optional() }, located, { reads: true }),
  /** Holds files for as long as their owner exists. Returns the ids that exist in the workspace. */
  "files.hold": action(
    "internal",
    { workspaceId: id, ids: z.array(id).max(MAX_HELD), owner },
    z.object({ held: z.array(id) }),
  ),
  /**
   * Releases the holds of owners that no longer exist, or that now refer only to the files in `except`. Files without
   * another hold are removed after a day.
   */
  "files.release": action(
    "internal",
    { workspaceId: id, owners: z.array(owner).max(1_000), except: z.array(id).max(MAX_HELD).optional() },
    nothing,
  ),
  /** Whether the file store is writable. */
  "files.state": action(
    "internal",
    {},
    z.object({ store: z.enum(["folder", "s3", "gridfs"]), state: z.enum(["ok", "down"]) }),
    { reads: true },
  ),
  /** How much of this service's limits the workspace uses, by name. */
  "files.usage": action("internal", { workspaceId: id }, usedByName, { reads: true }),
  "files.purge": action("internal", { workspaceId: id }, nothing),
};
