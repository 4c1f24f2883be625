import { z } from "zod";
import { cronExpr, timezone } from "../../contracts/entities/schedule.ts";
import { variableName } from "../../contracts/entities/variables.ts";
import { newWebhookRespond } from "../../contracts/entities/webhook.ts";
import { issueFaults } from "../../contracts/issue-faults.ts";
import { json, name } from "../../contracts/primitives.ts";
import { type NewWebhookAuth, newWebhookAuth } from "../../contracts/entities/webhook-auth.ts";
import { readDocument } from "./document.ts";

/** The kinds of files that make up a space, in the order in which a push writes them. */
export const FILE_KINDS = ["variables", "workflows", "schedules", "webhooks"] as const;
export type Kind = (typeof FILE_KINDS)[number];

/** The slug of a workflow in the space, or the id of a workflow elsewhere. */
const workflow = z.string().min(1).max(80);

const scheduleFile = z.strictObject({
  format: z.literal("weft-schedule"),
  version: z.literal(1),
  workflow,
  cronExpr,
  timezone: timezone.default("UTC"),
  enabled: z.boolean().default(true),
  input: json.default(null),
});
const webhookFile = z.strictObject({
  format: z.literal("weft-webhook"),
  version: z.literal(1),
  name,
  workflow,
  enabled: z.boolean().default(true),
  /** As the service returns it, so it contains no secrets. The name of a credential takes the place of its id. */
  auth: z
    .record(z.string(), json)
    .refine(auth => !("secret" in auth || "verifyToken" in auth), "Secrets do not belong in files: Weft makes them"),
  methods: z
    .array(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]))
    .min(1)
    .max(5)
    .default(["POST"]),
  respond: newWebhookRespond.default({ mode: "execution" }),
  keepRaw: z.boolean().default(false),
});
const variablesFile = z.strictObject({
  format: z.literal("weft-variables"),
  version: z.literal(1),
  values: z.record(variableName, json),
});

export interface WorkflowFile {
  format: "weft-workflow";
  version: 1;
  name: string;
  description: string;
  definition: unknown;
}
export type ScheduleFile = z.infer<typeof scheduleFile>;
export type WebhookFile = z.infer<typeof webhookFile>;
export type VariablesFile = z.infer<typeof variablesFile>;
export interface Files {
  workflows: WorkflowFile;
  schedules: ScheduleFile;
  webhooks: WebhookFile;
  variables: VariablesFile;
}
export type AnyFile = Files[Kind];

export type Read<T> = { content: T; fault?: undefined } | { fault: string };

function workflowIn(value: unknown): Read<WorkflowFile> {
  const { content, faults } = readDocument(value);
  if (!content) return { fault: `${faults[0]?.path || "file"}: ${faults[0]?.message ?? "not valid"}` };
  return { content: { format: "weft-workflow", version: 1, ...content } };
}

function fileIn<T>(schema: z.ZodType<T>, value: unknown): Read<T> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return { content: data };
  const [first] = issueFaults(error.issues);
  return { fault: `${first?.path || "file"}: ${first?.message ?? "not valid"}` };
}

const READ: { [K in Kind]: (value: unknown) => Read<Files[K]> } = {
  workflows: workflowIn,
  schedules: value => fileIn(scheduleFile, value),
  webhooks: value => fileIn(webhookFile, value),
  variables: value => fileIn(variablesFile, value),
};

/** Reads a file of this kind. Returns its content, or its fault. */
export const readFile = (kind: Kind, value: unknown): Read<AnyFile> => READ[kind](value);

/** The authentication in a webhook's file, as a request sets it. An id takes the place of the credential's name. */
export function webhookAuthIn(auth: object): Read<NewWebhookAuth> {
  const read = fileIn(newWebhookAuth, auth);
  return read.fault === undefined ? read : { fault: `/auth${read.fault}` };
}
