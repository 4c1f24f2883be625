import { namesIn } from "../../core/exchange/named-references.ts";
import type { KnownState, Planned } from "../../core/exchange/folder-plan.ts";
import { WeftError, type Weft } from "../../sdk/index.ts";
import { CommandError } from "../command.ts";
import { withoutControls, printMessage } from "../terminal.ts";
import {
  FILE_KINDS,
  type Files,
  type Kind,
  type ScheduleFile,
  type VariablesFile,
  type WebhookFile,
  type WorkflowFile,
} from "../../core/exchange/space-files.ts";
import { kindOf, slugIn } from "./files.ts";
import {
  ifMatchOf,
  createOnServer,
  ensureUnchanged,
  ChangedOnServerError,
  orUndefinedIfMissing,
  unlessChanged,
} from "./changed-on-server.ts";
import {
  authOf,
  hashOf,
  type Remote,
  scheduleRemote,
  type Space,
  variablesRemote,
  webhookRemote,
  workflowRemote,
} from "./space.ts";

/** The data of one change for a push. */
export interface Change extends Planned {
  /** Null if the file was deleted. */
  content: Files[Kind] | null;
}

export interface Target extends Space {
  weft: Weft;
  spaceId: string;
  message: string | undefined;
  known: Map<string, KnownState>;
  /** Stores `known`, so that an interrupted push continues where it stopped. */
  remember: () => Promise<void>;
}

async function pushVariables(target: Target, change: Change): Promise<Remote | null> {
  const { weft, spaceId } = target;
  const read = await weft.variables.ofSpace.get({});
  ensureUnchanged(change, variablesRemote(spaceId, read));
  const now = read.values;
  const wanted = (change.content as VariablesFile | null)?.values ?? {};
  const set = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !Object.hasOwn(now, name) || hashOf(now[name]) !== hashOf(value)),
  );
  const remove = Object.keys(now).filter(name => !Object.hasOwn(wanted, name));
  const updated = await unlessChanged(weft.variables.ofSpace.update({ set, remove, ...ifMatchOf(read) }));
  return variablesRemote(spaceId, updated);
}

async function pushWorkflow(target: Target, change: Change): Promise<Remote | null> {
  const { weft, references, remotes, trashed, message } = target;
  const [slug, remote] = [slugIn(change.key), remotes.get(change.key)];
  if (!change.content) {
    const { id } = remote!;
    // Services of earlier versions accept no condition here.
    if ((await weft.workflows.get({ id })).version !== remote!.version) throw new ChangedOnServerError();
    await unlessChanged(weft.workflows.trash({ id, ...ifMatchOf(remote!) }));
    return null;
  }
  const { name, description, definition: written } = change.content as WorkflowFile;
  const { definition, warnings } = await references.fromFile(written);
  warnings.forEach(warning => printMessage(withoutControls(`weft: ${change.key}: ${warning}`)));
  const old = remote ?? trashed.get(change.key);
  if (!old) {
    const made = await createOnServer(weft.workflows.create({ name, slug, description, definition }));
    references.addWorkflow(made.id, slug);
    return workflowRemote(references, made);
  }
  const content = { id: old.id, name, description, definition, ...(message && { message }) };
  const updated = await unlessChanged(weft.workflows.update({ ...content, ...ifMatchOf(old) }));
  // The content is updated first. If the push is interrupted here, the next one finds the workflow in the trash again.
  const restored = updated.status === "trashed" && unlessChanged(weft.workflows.restore({ id: old.id }));
  return workflowRemote(references, (await restored) || updated);
}

/**
 * The id of the workflow that a trigger refers to.
 * @throws {CommandError} when it does not exist
 */
function workflowOf({ references }: Target, { key }: Change, workflow: string): string {
  const id = references.workflowId(workflow) ?? (/^[0-9a-f-]{36}$/.test(workflow) ? workflow : undefined);
  if (id !== undefined) return id;
  throw new CommandError(withoutControls(`${key}: the space has no workflow ${JSON.stringify(workflow)}.`));
}

async function pushSchedule(target: Target, change: Change): Promise<Remote | null> {
  const { weft, references, remotes, known } = target;
  const id = remotes.get(change.key)?.id;
  const now = id === undefined ? undefined : await orUndefinedIfMissing(weft.schedules.read({ id }));
  ensureUnchanged(change, now && scheduleRemote(references, now));
  const file = change.content as ScheduleFile | null;
  if (!file) {
    if (now) await unlessChanged(weft.schedules.remove({ id: now.id, ...ifMatchOf(now) }));
    return null;
  }
  const { cronExpr, timezone, enabled, input } = file;
  const settings = { cronExpr, timezone, enabled, input };
  const workflowId = workflowOf(target, change, file.workflow);
  if (now && now.workflowId === workflowId) {
    const updated = await unlessChanged(weft.schedules.update({ id: now.id, ...settings, ...ifMatchOf(now) }));
    return scheduleRemote(references, updated);
  }
  if (now) {
    // The workflow of a schedule cannot be changed, so a new schedule replaces it. Without its entry, an interrupted
    // push creates it again.
    known.delete(change.key);
    await target.remember();
    await unlessChanged(weft.schedules.remove({ id: now.id, ...ifMatchOf(now) }));
  }
  const slug = slugIn(change.key);
  return scheduleRemote(references, await createOnServer(weft.schedules.create({ workflowId, slug, ...settings })));
}

async function pushWebhook(target: Target, change: Change): Promise<Remote | null> {
  const { weft, references, remotes } = target;
  const id = remotes.get(change.key)?.id;
  const now = id === undefined ? undefined : await orUndefinedIfMissing(weft.webhooks.get({ id }));
  const before = now && webhookRemote(references, now);
  ensureUnchanged(change, before);
  const file = change.content as WebhookFile | null;
  if (!file) {
    if (now) await unlessChanged(weft.webhooks.remove({ id: now.id, ...ifMatchOf(now) }));
    return null;
  }
  const { name, enabled, methods, respond, keepRaw } = file;
  const settings = { name, enabled, methods, respond, keepRaw };
  const workflowId = workflowOf(target, change, file.workflow);
  const auth = authOf(references, file);
  const secretNote = "It has a new secret. To see one, use: weft webhooks rotate";
  if (!now) {
    const slug = slugIn(change.key);
    const made = await createOnServer(weft.webhooks.create({ workflowId, slug, auth, ...settings }));
    if (made.secret !== undefined) printMessage(`weft: ${change.key}: ${secretNote} ${made.id}`);
    return webhookRemote(references, made);
  }
  if (now.workflowId !== workflowId)
    throw new CommandError(`${change.key}: a webhook keeps its workflow. Give the file another name.`);
  // A new authentication creates a new secret, so it is sent only if it changed.
  const isNew = hashOf(auth) !== hashOf(now.auth);
  const wanted = { id: now.id, ...settings, ...(isNew && { auth }), ...ifMatchOf(now) };
  const updated = await unlessChanged(weft.webhooks.update(wanted));
  if (updated.secret !== undefined) printMessage(`weft: ${change.key}: ${secretNote} ${now.id}`);
  return webhookRemote(references, updated);
}

const PUSH: Record<Kind, (target: Target, change: Change) => Promise<Remote | null>> = {
  variables: pushVariables,
  workflows: pushWorkflow,
  schedules: pushSchedule,
  webhooks: pushWebhook,
};

/**
 * New workflows that others of this push refer to are created first, without content, so that all references have ids.
 */
async function createReferred(target: Target, changes: readonly Change[]): Promise<void> {
  const files = changes.filter(({ key, content }) => kindOf(key) === "workflows" && content);
  const referred = new Set(files.flatMap(({ content }) => namesIn((content as WorkflowFile).definition).map(textOf)));
  for (const { key, content } of files) {
    const slug = slugIn(key);
    if (!referred.has(textOf({ kind: "workflow", value: slug })) || target.references.workflowId(slug)) continue;
    const made = await createOnServer(target.weft.workflows.create({ name: (content as WorkflowFile).name, slug }));
    target.references.addWorkflow(made.id, slug);
    target.remotes.set(key, await workflowRemote(target.references, made));
  }
}

const textOf = ({ kind, value }: { kind: string; value: string }) => `${kind}:${value}`;

/** Workflows are removed last, because their schedules and webhooks may be removed before. */
const placeOf = ({ key, content }: Change) =>
  kindOf(key) === "workflows" && !content ? FILE_KINDS.length : FILE_KINDS.indexOf(kindOf(key));

/**
 * Makes the changes. Returns the key of the first object that changed on the server meanwhile, which ends the push.
 * Returns null after all changes.
 */
export async function pushAll(target: Target, changes: readonly Change[]): Promise<string | null> {
  const ordered = changes.toSorted((a, b) => placeOf(a) - placeOf(b));
  try {
    await createReferred(target, ordered);
  } catch (error) {
    if (error instanceof ChangedOnServerError) return ordered[0]!.key;
    throw error;
  }
  for (const change of ordered) {
    try {
      const made = await PUSH[kindOf(change.key)](target, change);
      if (made) target.known.set(change.key, { id: made.id, sha256: made.sha256 });
      else target.known.delete(change.key);
      if (made) target.remotes.set(change.key, made);
      else target.remotes.delete(change.key);
      await target.remember();
    } catch (error) {
      if (error instanceof ChangedOnServerError) return change.key;
      throw error;
    }
  }
  return null;
}

/**
 * Deploys the newest versions of workflows whose deployed version is missing or older. Returns the keys that failed.
 */
export async function deployAll({ weft, remotes, message }: Target, keys: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const key of keys) {
    const { id, version } = remotes.get(key)!;
    try {
      await weft.workflows.deploy({ id, version: version!, ...(message && { message }) });
    } catch (error) {
      if (!(error instanceof WeftError) || error.status >= 500) throw error;
      printMessage(withoutControls(`weft: ${key} was not deployed: ${error.message}`));
      failed.push(key);
    }
  }
  return failed;
}
