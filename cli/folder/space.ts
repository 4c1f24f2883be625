import { createHash } from "node:crypto";
import { canonicalJson } from "../../core/json.ts";
import type { RemoteState } from "../../core/exchange/folder-plan.ts";
import type { Schedule, Variables, Weft, Webhook, Workflow as WholeWorkflow } from "../../sdk/index.ts";
import { CommandError } from "../command.ts";
import {
  type AnyFile,
  type Files,
  type Kind,
  type ScheduleFile,
  type VariablesFile,
  webhookAuthIn,
  type WebhookFile,
  type WorkflowFile,
} from "../../core/exchange/space-files.ts";
import { keyOf } from "./files.ts";
import { References } from "./references.ts";

type Workflow = Pick<
  WholeWorkflow,
  "id" | "name" | "description" | "definition" | "version" | "deployedVersion" | "slug"
>;

/** A hash that is the same for the same content, whatever the white space and the order of fields. */
export const hashOf = (content: unknown): string => createHash("sha256").update(canonicalJson(content)).digest("hex");

/** Formats content. The same content always gives the same bytes. */
export const textOf = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`;

/** An object of the service, in the form of a file. */
export interface Remote extends RemoteState {
  content: AnyFile;
  /** for workflows */
  version?: number;
  /** For all other objects, if the service counts their changes. */
  revision?: number | undefined;
  deployedVersion?: number | null;
  /** for schedules and webhooks */
  workflowId?: string;
}

const remoteOf = (id: string, content: AnyFile): Remote => ({ id, content, sha256: hashOf(content) });

export async function workflowRemote(references: References, workflow: Workflow): Promise<Remote> {
  const { id, name, description, version, deployedVersion } = workflow;
  const definition = await references.forFile(workflow.definition);
  const content: WorkflowFile = { format: "weft-workflow", version: 1, name, description, definition };
  const unfinished = version === 1 && workflow.definition === null;
  return { ...remoteOf(id, content), version, deployedVersion, unfinished };
}

export function scheduleRemote(references: References, schedule: Schedule): Remote {
  const { id, workflowId, cronExpr, timezone, enabled, input, revision } = schedule;
  const workflow = references.workflowSlug(workflowId) ?? workflowId;
  const content: ScheduleFile = { format: "weft-schedule", version: 1, workflow, cronExpr, timezone, enabled, input };
  return { ...remoteOf(id, content), workflowId, revision };
}

export function webhookRemote(references: References, webhook: Webhook): Remote {
  const { id, workflowId, name, enabled, methods, respond, keepRaw, revision } = webhook;
  const workflow = references.workflowSlug(workflowId) ?? workflowId;
  const { auth: shown } = webhook;
  const isNamed = "credential" in shown && shown.credential !== undefined;
  const auth = isNamed ? { ...shown, credential: references.credentialForFile(shown.credential) } : { ...shown };
  const settings = { enabled, auth, methods: [...methods].sort(), respond, keepRaw };
  const content: WebhookFile = { format: "weft-webhook", version: 1, name, workflow, ...settings };
  return { ...remoteOf(id, content), workflowId, revision };
}

/** Null if there are no variables, because a folder without variables has no file for them. */
export function variablesRemote(spaceId: string, { values, revision }: Variables): Remote | null {
  if (Object.keys(values).length === 0) return null;
  const content: VariablesFile = { format: "weft-variables", version: 1, values };
  return { ...remoteOf(spaceId, content), revision };
}

const slugged = <T extends { slug?: string | undefined }>(kind: Kind, { slug }: T): string => {
  if (slug === undefined) throw new CommandError("The service is of an earlier version, which knows no slugs.");
  return keyOf(kind, slug);
};

export interface Space {
  references: References;
  remotes: Map<string, Remote>;
  /** Workflows in the trash, by key. They still occupy their slugs, and a push restores them. */
  trashed: Map<string, { id: string; version: number }>;
}

/** The objects of the space, by the keys of files. */
export async function readSpace(weft: Weft, spaceId: string): Promise<Space> {
  const references = new References(weft);
  await references.begin();
  const remotes = new Map<string, Remote>();
  const trashed: Space["trashed"] = new Map();
  const active: Workflow[] = [];
  for await (const one of weft.workflows.list({ limit: 50 })) {
    slugged("workflows", one);
    active.push(one);
    references.addWorkflow(one.id, one.slug!);
  }
  for await (const one of weft.workflows.list({ trashed: true, fields: "summary", limit: 200 })) {
    trashed.set(slugged("workflows", one), { id: one.id, version: one.version });
    references.addWorkflow(one.id, one.slug!);
  }
  for (const one of active) remotes.set(slugged("workflows", one), await workflowRemote(references, one));
  for await (const one of weft.schedules.list({ limit: 200 }))
    remotes.set(slugged("schedules", one), scheduleRemote(references, one));
  for await (const one of weft.webhooks.list({ limit: 200 }))
    remotes.set(slugged("webhooks", one), webhookRemote(references, one));
  const variables = variablesRemote(spaceId, await weft.variables.ofSpace.get({}));
  if (variables) remotes.set(keyOf("variables", ""), variables);
  return { references, remotes, trashed };
}

/**
 * The content of a file in the form that the service would return, so that a name and an id of the same object are
 * equal.
 */
export async function comparable(references: References, kind: Kind, content: AnyFile): Promise<AnyFile> {
  if (kind === "workflows") {
    const file = content as Files["workflows"];
    const { definition } = await references.fromFile(file.definition);
    return { ...file, definition: await references.forFile(definition) };
  }
  if (kind === "webhooks") {
    const file = content as WebhookFile;
    const auth = authOf(references, file);
    const named = auth.type === "hmac" && auth.credential !== undefined;
    return {
      ...file,
      auth: named ? { ...auth, credential: references.credentialForFile(auth.credential) } : { ...auth },
      methods: [...new Set(file.methods)].sort(),
    };
  }
  return content;
}

/**
 * The authentication in a webhook's file, in the form of a request.
 * @throws {Error} when it is not valid
 */
export function authOf(references: References, { auth }: WebhookFile) {
  const read = webhookAuthIn({
    ...auth,
    ...("credential" in auth && { credential: references.credentialFromFile(auth.credential) }),
  });
  if (read.fault !== undefined) throw new Error(read.fault);
  return read.content;
}
