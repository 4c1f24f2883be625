import { bindCredentials } from "../../core/exchange/credential-references.ts";
import type { Known, There } from "../../core/exchange/folder-plan.ts";
import { withIds, withSlugs } from "../../core/exchange/workflow-names.ts";
import { slugify, suffixesOf, withSuffix } from "../../core/slug.ts";
import { WeftError, type Weft } from "../../sdk/index.ts";
import { CommandError } from "../command.ts";
import { sha256, textOf } from "./files.ts";

interface Content {
  name: string;
  description: string;
  definition: unknown;
}

export interface Remote extends There {
  slug: string;
  name: string;
  /** What a pull writes. */
  text: string;
}

type Listed = { id: string; name: string; version: number };

/** A workflow keeps the slug that it has in the folder. Any other gets one from its name, the oldest first. */
function slugsOf(workflows: readonly Listed[], known: ReadonlyMap<string, Known>, files: ReadonlySet<string>) {
  const slugs = new Map<string, string>();
  const ids = new Set(workflows.map(({ id }) => id));
  for (const [slug, { id }] of known) if (ids.has(id)) slugs.set(id, slug);
  const taken = new Set(slugs.values());
  const waiting = workflows.filter(({ id }) => !slugs.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, name } of waiting) {
    const own = slugify(name, "workflow");
    // A slug whose workflow was deleted is free again, but a file that was never pushed may stand for this workflow.
    const isFree = (slug: string) => !taken.has(slug) && (!known.has(slug) || !files.has(slug));
    const slug = [own, ...suffixesOf(id).map(suffix => withSuffix(own, suffix))].find(isFree) ?? id;
    slugs.set(id, slug);
    taken.add(slug);
  }
  return slugs;
}

/** The active workflows of the space as a pull would write them, by slug. */
export async function readSpace(weft: Weft, known: ReadonlyMap<string, Known>, files: ReadonlySet<string>) {
  const listed: Listed[] = [];
  for await (const one of weft.workflows.list({ fields: "summary", limit: 200 })) listed.push(one);
  const slugs = slugsOf(listed, known, files);
  const remotes = new Map<string, Remote>();
  for (const { id } of listed) {
    const slug = slugs.get(id) ?? id;
    remotes.set(slug, await readRemote(weft, id, slug, other => slugs.get(other)));
  }
  return remotes;
}

/** How often a workflow is read again that changes meanwhile. */
const TRIES = 5;

/** A workflow and the version that its file has. @throws {CommandError} when it changes all the time */
export async function readRemote(
  weft: Weft,
  id: string,
  slug: string,
  slugOf: (id: string) => string | undefined,
): Promise<Remote> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await weft.workflows.get({ id });
    const document = await weft.workflows.export({ id });
    const { version } = await weft.workflows.get({ id });
    if (before.version !== version) continue;
    const text = textOf({ ...document, definition: withSlugs(document.definition, slugOf) });
    return { id, slug, name: before.name, version, text, sha256: sha256(text) };
  }
  throw new CommandError(`The workflow ${slug} changes too often to be read now.`);
}

/** What a file says, with the ids of the space. Credentials that are not there stay named, with a warning. */
export async function contentFor(weft: Weft, file: Content, idOf: (slug: string) => string | undefined) {
  const here: { id: string; name: string; type: string }[] = [];
  for await (const one of weft.credentials.list({ limit: 200 })) here.push(one);
  const { definition, warnings } = bindCredentials(withIds(file.definition, idOf), here);
  return { name: file.name, description: file.description, definition, warnings };
}

/** Makes the content the next version of a workflow, unless it has another version than this by now. */
export async function update(
  weft: Weft,
  { id, version }: { id: string; version: number },
  { name, description, definition }: Content,
  message: string | undefined,
) {
  try {
    const change = { id, name, description, definition, ifMatch: `"${version}-push"` };
    return await weft.workflows.update({ ...change, ...(message && { message }) });
  } catch (error) {
    if (error instanceof WeftError && error.code === "precondition_failed") return null;
    throw error;
  }
}
