import { z } from "zod";
import { id, name, timestamp } from "../primitives.ts";
import { email, user } from "./user.ts";

/** An account as operators see it. */
export const operatedUser = user
  .extend({
    disabledAt: timestamp.nullable().meta({ description: "Since when the account cannot be used." }),
    operator: z.boolean().meta({ description: "The account is that of an operator." }),
  })
  .meta({ id: "OperatedUser", description: "An account, for operators." });
export type OperatedUser = z.infer<typeof operatedUser>;

/** A link by which a person sets a new password. */
export const resetLink = z
  .object({ userId: id, link: z.string(), expiresAt: timestamp })
  .meta({ id: "ResetLink", description: "A link that sets a new password, once." });

/** A new account, with the link that opens it. */
export const operatedNewUser = operatedUser
  .extend({ link: z.string(), linkExpiresAt: timestamp })
  .meta({ id: "OperatedNewUser", description: "A new account, with the link that sets its password." });

/** A workspace as operators see it: who answers for it, and how large it is, but nothing of its contents. */
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

/** What runs of all workspaces wait for. */
export const queueCount = z.object({
  queued: z.int().min(0).meta({ description: "Runs that are ready and wait for a worker." }),
  held: z.int().min(0).meta({ description: "Runs in the hands of workers." }),
  sleeping: z.int().min(0).meta({ description: "Runs that wait until a time." }),
  suspended: z.int().min(0).meta({ description: "Runs that wait for an answer." }),
  workers: z.int().min(0).meta({ description: "Workers with a valid lease." }),
});

/** A variable of the environment. */
const setting = z.object({
  name: z.string(),
  value: z
    .string()
    .nullable()
    .meta({ description: "What is in effect. Null where nothing is, or where it is masked." }),
  state: z
    .enum(["set", "default", "none"])
    .meta({ description: "`set`: it differs from the default. `none`: there is no value." }),
  masked: z.boolean().meta({ description: "The value is a secret, or may contain one, and is never shown." }),
});

/** What an installation has, in numbers. */
export const operatorStatus = z
  .object({
    version: z.string(),
    users: z.object({ total: z.int(), disabled: z.int() }),
    workspaces: z.int().nullable().meta({ description: "Null where the service did not answer." }),
    queue: queueCount.nullable().meta({ description: "Counted up to 10,000. Null where the service did not answer." }),
    nodes: z.array(
      z.object({
        id: z.string(),
        available: z.boolean(),
        version: z.string().nullable().meta({ description: "Null where the node does not tell it." }),
        services: z.array(z.string()),
      }),
    ),
    configuration: z
      .object({ node: z.string(), settings: z.array(setting) })
      .optional()
      .meta({ description: "The variables of the node that answers. Missing where its version does not tell them." }),
  })
  .meta({ id: "OperatorStatus" });
