import { readDocument } from "../../core/exchange/document.ts";
import { compareSides, type Known, type Planned } from "../../core/exchange/folder-plan.ts";
import { slugsIn } from "../../core/exchange/workflow-names.ts";
import type { Weft } from "../../sdk/index.ts";
import { argument, type Command, CommandError, FAILED, type Given } from "../command.ts";
import { inSpace } from "../connection.ts";
import { Folder, sha256 } from "../folder/files.ts";
import { contentFor, readRemote, readSpace, type Remote, update } from "../folder/space.ts";
import { parseJson } from "../read-input.ts";
import { clean, jsonText, say, tell } from "../terminal.ts";

interface Sides {
  weft: Weft;
  spaceId: string;
  folder: Folder;
  files: Map<string, string>;
  remotes: Map<string, Remote>;
  known: Map<string, Known>;
  plan: Planned[];
}

async function sidesOf(given: Given): Promise<Sides> {
  const { weft, spaceId } = await inSpace(given);
  const folder = new Folder(argument(given));
  const [files, known] = [await folder.read(), await folder.known(spaceId)];
  const remotes = await readSpace(weft, known, new Set(files.keys()));
  const here = new Map([...files].map(([slug, text]) => [slug, { sha256: sha256(text) }]));
  return { weft, spaceId, folder, files, remotes, known, plan: compareSides(here, remotes, known) };
}

const knownOf = ({ id, version, sha256: hash }: Remote): Known => ({ id, version, sha256: hash });

const CHANGED_BOTH = "changed on both sides";

/** Lists conflicts. Returns the exit code. */
function refuse(conflicts: readonly Planned[], advice: string): number {
  for (const { slug } of conflicts) tell(`! ${slug}  ${CHANGED_BOTH}`);
  tell(advice);
  return FAILED;
}

async function pull(given: Given): Promise<number | void> {
  const { spaceId, folder, remotes, known, plan } = await sidesOf(given);
  const [dry, force] = [given.flag("dry-run"), given.flag("force")];
  const lines: { sign: string; slug: string }[] = [];
  const conflicts = plan.filter(({ difference, there }) => difference === "both" && (!force || !there));
  for (const { slug, difference, there } of plan) {
    const remote = remotes.get(slug);
    const isTaken =
      ["there", "new-there", "gone-here"].includes(difference) || (difference === "both" && force && there);
    if (isTaken && remote) {
      lines.push({ sign: difference === "new-there" || difference === "gone-here" ? "+" : "~", slug });
      if (!dry) await folder.write(slug, remote.text);
    }
    if (difference === "gone-there") {
      lines.push({ sign: "-", slug });
      if (!dry) await folder.remove(slug);
      known.delete(slug);
    }
    if (remote && (isTaken || difference === "same")) known.set(slug, knownOf(remote));
    if (!remote && difference === "same") known.delete(slug);
  }
  if (!dry) await folder.remember(spaceId, known);
  if (given.flag("json")) say(jsonText({ changes: lines, conflicts: conflicts.map(({ slug }) => slug) }));
  else lines.forEach(({ sign, slug }) => say(`${sign} ${slug}`));
  if (conflicts.length > 0)
    return refuse(conflicts, "Nothing of these was written. --force takes what the server has.");
}

type Content = NonNullable<ReturnType<typeof readDocument>["content"]>;

/** @throws {CommandError} when the file is no workflow */
function contentIn(folder: Folder, slug: string, text: string): Content {
  const { content, faults } = readDocument(parseJson(text, folder.fileOf(slug)));
  if (content) return content;
  throw new CommandError(`${folder.fileOf(slug)}: ${faults[0]?.path || "file"}: ${faults[0]?.message ?? "not valid"}`);
}

const SIGNS: Partial<Record<Planned["difference"], string>> = {
  here: "~",
  "new-here": "+",
  "gone-here": "-",
  both: "~",
};

/** A push that was cut off and is repeated creates nothing twice. */
const keyOf = (spaceId: string, slug: string, text: string) => `push:${spaceId}:${slug}:${sha256(text)}`;

/** Creates what others refer to first, so that all references have ids. */
async function createMissing(
  { weft, spaceId, folder, files }: Sides,
  slugs: readonly string[],
  ids: Map<string, string>,
) {
  const documents = new Map(slugs.map(slug => [slug, contentIn(folder, slug, files.get(slug)!)]));
  const wanted = new Set([...files].flatMap(([slug, text]) => slugsIn(contentIn(folder, slug, text).definition)));
  for (const [slug, { name }] of documents) {
    if (!wanted.has(slug)) continue;
    ids.set(
      slug,
      (await weft.workflows.create({ name }, { idempotencyKey: keyOf(spaceId, slug, files.get(slug)!) })).id,
    );
  }
}

async function pushOne(sides: Sides, planned: Planned, ids: Map<string, string>, given: Given): Promise<boolean> {
  const { weft, spaceId, folder, files, remotes, known } = sides;
  const { slug, difference } = planned;
  const remote = remotes.get(slug);
  if (difference === "gone-here") {
    await weft.workflows.trash({ id: remote!.id });
    known.delete(slug);
    return true;
  }
  const document = contentIn(folder, slug, files.get(slug)!);
  const content = await contentFor(weft, document, other => ids.get(other));
  content.warnings.forEach(({ message }) => tell(clean(`weft: ${slug}: ${message}`)));
  let id = ids.get(slug);
  if (id === undefined) {
    const { name, description, definition } = content;
    const key = keyOf(spaceId, slug, files.get(slug)!);
    ({ id } = await weft.workflows.create({ name, description, definition }, { idempotencyKey: key }));
    known.set(slug, { id, version: 1, sha256: "" });
    await folder.remember(spaceId, known);
    ids.set(slug, id);
  } else if (!(await update(weft, { id, version: remote?.version ?? 1 }, content, given.text("message")))) return false;
  const slugs = new Map([...ids].map(([other, of]) => [of, other]));
  const now = await readRemote(weft, id, slug, other => slugs.get(other));
  // The bytes of the service count, so that the next pull changes nothing.
  await folder.write(slug, now.text);
  known.set(slug, knownOf(now));
  if (given.flag("deploy")) await weft.workflows.deploy({ id, version: now.version });
  return true;
}

async function push(given: Given): Promise<number | void> {
  const sides = await sidesOf(given);
  const { spaceId, folder, files, remotes, known, plan } = sides;
  const force = given.flag("force");
  // What is on the server alone stays there, so `--force` overwrites versions, which can be restored, and loses none.
  const conflicts = plan.filter(one => one.difference === "both" && !(force && one.here));
  const changes = plan.filter(one => SIGNS[one.difference] && !conflicts.includes(one));
  const shown = changes.map(one => ({
    sign: one.difference === "both" && !one.there ? "+" : SIGNS[one.difference]!,
    slug: one.slug,
  }));
  for (const { slug } of changes) if (files.has(slug)) contentIn(folder, slug, files.get(slug)!);
  if (given.flag("json")) say(jsonText({ changes: shown, conflicts: conflicts.map(({ slug }) => slug) }));
  else shown.forEach(({ sign, slug }) => say(`${sign} ${slug}`));
  const behind = plan.filter(({ difference }) => difference === "there" || difference === "new-there");
  if (behind.length > 0) tell(`${behind.length} workflows are newer on the server. Pull to get them.`);
  if (conflicts.length > 0)
    return refuse(conflicts, "Nothing was pushed. Pull into another branch and merge, or --force.");
  if (given.flag("dry-run")) return;
  const ids = new Map([...remotes].map(([slug, { id }]) => [slug, id]));
  const fresh = changes.filter(({ there }) => !there).map(({ slug }) => slug);
  await createMissing(sides, fresh, ids);
  for (const one of changes) {
    const done = await pushOne(sides, one, ids, given);
    // What is done so far is remembered, so that a push that ends half-way goes on where it was.
    await folder.remember(spaceId, known);
    if (!done) return refuse([one], "It changed on the server meanwhile. Pull, and push again.");
  }
  for (const { slug, difference } of plan) {
    const remote = remotes.get(slug);
    if (difference === "same" && remote) known.set(slug, knownOf(remote));
  }
  await folder.remember(spaceId, known);
}

const SAME = {
  "dry-run": { type: "boolean", help: "say what would change, and change nothing" },
} as const;

export const FOLDER: Command[] = [
  {
    name: "pull",
    args: "<folder>",
    summary: "Write the workflows of the space into a folder, a file each, to keep them in Git",
    options: { ...SAME, force: { type: "boolean", help: "overwrite files that changed on both sides" } },
    notes: ["A file that changed here alone stays. The exit code is 1 if a workflow changed on both sides."],
    run: pull,
  },
  {
    name: "push",
    args: "<folder>",
    summary: "Make the workflows of the space equal to the files of a folder",
    options: {
      ...SAME,
      deploy: { type: "boolean", help: "deploy what was pushed" },
      force: { type: "boolean", help: "make a new version of workflows that changed on both sides" },
      message: { type: "string", short: "m", value: "text", help: "what the change is; the versions keep it" },
    },
    notes: ["A workflow whose file is gone goes to the trash. What changed on the server since the pull is refused."],
    run: push,
  },
];
