import { z } from "zod";
import { id, name, timestamp } from "../primitives.ts";
import { email, user } from "./user.ts";

/** An account in the form for operators. */
export const operatedUser = user
  .extend({
    disabledAt: timestamp.nullable().meta({ description: "When the account was disabled. Null if it can be used." }),
    operator: z.boolean().meta({ description: "True if the account belongs to an operator." }),
  })
  .meta({ id: "OperatedUser", description: "An account, for operators." });
export type OperatedUser = z.infer<typeof operatedUser>;

/** A link with which a person sets a new password. */
export const resetLink = z
  .object({ userId: id, link: z.string(), expiresAt: timestamp })
  .meta({ id: "ResetLink", description: "A link for setting a new password. It works once." });

/** A new account, and the link that opens it. */
export const operatedNewUser = operatedUser
  .extend({ link: z.string(), linkExpiresAt: timestamp })
  .meta({ id: "OperatedNewUser", description: "A new account, and the link for setting its password." });

/** A workspace in the form for operators. It shows who is responsible and the size, but no content. */
export const operatedWorkspace = z
  .object({
    id,
    name,
    slug: z.string(),
    owners: z.array(z.object({ id, email: email.nullable(), name: name.nullable() })),
    members: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "OperatedWorkspace", description: "A workspace, for operators." });
export type OperatedWorkspace = z.infer<typeof operatedWorkspace>;

/** The numbers of runs of all workspaces by what they wait for. */
export const queueCount = z.object({
  queued: z.int().min(0).meta({ description: "Runs that are ready and wait for a worker." }),
  held: z.int().min(0).meta({ description: "Runs that workers hold." }),
  sleeping: z.int().min(0).meta({ description: "Runs that wait until a time." }),
  suspended: z.int().min(0).meta({ description: "Runs that wait for an answer." }),
  workers: z.int().min(0).meta({ description: "Workers with a valid lease." }),
});

/** How long runs of all workspaces have waited, for the alerts. */
export const queueAges = z.object({
  /** The longest wait of runs that have not begun and that any worker may take. 0 if none waits. */
  oldestSeconds: z.number().min(0),
  /** The longest delay of runs that are due to continue. */
  lateSeconds: z.number().min(0),
});

/** The runs that one worker holds, and how its runs of the last 15 minutes ended. */
export const workerState = z.object({
  held: z.int().min(0),
  capacity: z.int().min(0),
  ended: z.object({ completed: z.int().min(0), failed: z.int().min(0), cancelled: z.int().min(0) }),
});

/** The texts of one service that wait for vectors, as the responding node sees them. */
export const embeddingState = z.object({
  waiting: z.int().min(0).nullable(),
  lagSeconds: z.number().min(0),
});

/** A number that an alert watches. */
const watched = z.object({
  alarm: z.string().meta({ description: "The name of the alert in `ops/prometheus/alerts.yml`." }),
  value: z.number().min(0).nullable().meta({ description: "Null if no node reports it, or nothing has happened yet." }),
  above: z.number().meta({ description: "The alert fires when the value stays above this." }),
  unit: z.enum(["seconds", "runs", "share"]),
});
export type WatchedNumber = z.infer<typeof watched>;

const byteCount = z.int().min(0).nullable();

const storage = z.object({
  store: z.enum(["embedded", "mongodb"]),
  used: byteCount.meta({ description: "Bytes of documents and their indexes. Null if the store does not report it." }),
  free: byteCount.meta({ description: "Free bytes on the disk of the data folder. Null with MongoDB." }),
  files: byteCount.meta({ description: "Bytes of files and large outputs. Null if the service did not respond." }),
  backupAt: timestamp
    .nullable()
    .meta({ description: "When `weft backup` last copied the embedded store. Null if it never did." }),
});

const version = z.string().nullable();
const versions = z.object({ store: version, nats: version, search: version }).meta({
  description:
    "The versions of the servers that the installation uses. Null if it does not use the server, or the version is unknown.",
});

/** An environment variable. */
const setting = z.object({
  name: z.string(),
  value: z
    .string()
    .nullable()
    .meta({ description: "The effective value. Null if the setting has no value, or if the value is masked." }),
  state: z
    .enum(["set", "default", "none"])
    .meta({ description: "`set`: it differs from the default. `none`: there is no value." }),
  masked: z.boolean().meta({ description: "The value is a secret, or may contain one, and is never shown." }),
});

/** The key figures of an installation. */
export const operatorStatus = z
  .object({
    version: z.string(),
    users: z.object({ total: z.int(), disabled: z.int() }),
    workspaces: z.int().nullable().meta({ description: "Null if the service did not respond." }),
    queue: queueCount.nullable().meta({ description: "Counted up to 10,000. Null if the service did not respond." }),
    nodes: z.array(
      z.object({
        id: z.string(),
        available: z.boolean(),
        version: z.string().nullable().meta({ description: "Null if the node does not report it." }),
        services: z.array(z.string()),
        worker: workerState
          .pick({ held: true, capacity: true })
          .optional()
          .meta({ description: "The number of runs that it holds, and its maximum. Absent if it runs no workflows." }),
      }),
    ),
    watched: z.array(watched).optional().meta({ description: "The numbers that alerts watch." }),
    storage: storage.optional(),
    versions: versions.optional(),
    configuration: z
      .object({ node: z.string(), settings: z.array(setting) })
      .optional()
      .meta({
        description: "The environment variables of the responding node. Absent if its version does not report them.",
      }),
  })
  .meta({ id: "OperatorStatus" });
