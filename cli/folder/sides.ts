import { DiffBudget, diffJson } from "../../core/diff/json-diff.ts";
import { JsonIdentity } from "../../core/diff/json-identity.ts";
import { compareSides, type KnownState, type LocalState, type Planned } from "../../core/exchange/folder-plan.ts";
import { type AnyFile, readFile } from "../../core/exchange/space-files.ts";
import { diffWorkflows, MAX_DIFF_CHARS } from "../../core/workflow-diff.ts";
import { type Weft, WeftConnectionError, WeftError } from "../../sdk/index.ts";
import { argument, CommandError, type Invocation } from "../command.ts";
import { inSpace } from "../connection.ts";
import { changeLine, linesOf } from "../diff-lines.ts";
import { Folder, kindOf } from "./files.ts";
import { LockFile } from "./lock.ts";
import { comparable, hashOf, readSpace, type Remote, type Space } from "./space.ts";

/** A folder, its space, and the differences between them. */
export interface Sides extends Space {
  weft: Weft;
  spaceId: string;
  folder: Folder;
  lock: LockFile;
  known: Map<string, KnownState>;
  /** The contents of the files, in the form for the comparison with the space. Unreadable files are left out. */
  contents: Map<string, AnyFile>;
  /** Why files cannot be read, by key. */
  faults: Map<string, Error>;
  plan: Planned[];
}

export async function sidesOf(given: Invocation): Promise<Sides> {
  const { weft, spaceId } = await inSpace(given);
  const folder = new Folder(argument(given));
  const lock = new LockFile(argument(given));
  const [texts, known] = [await folder.read(), await lock.known(spaceId)];
  const space = await readSpace(weft, spaceId);
  const here = new Map<string, LocalState>();
  const contents = new Map<string, AnyFile>();
  const faults = new Map<string, Error>();
  for (const [key, text] of texts) {
    try {
      const read = readFile(kindOf(key), JSON.parse(text));
      if (read.fault !== undefined) throw new Error(read.fault);
      const content = await comparable(space.references, kindOf(key), read.content);
      contents.set(key, content);
      here.set(key, { sha256: hashOf(content) });
    } catch (error) {
      if (!(error instanceof Error) || error instanceof WeftError || error instanceof WeftConnectionError) throw error;
      faults.set(key, new CommandError(`${folder.fileOf(key)}: ${error.message}`));
      here.set(key, { sha256: hashOf(text) });
    }
  }
  const plan = compareSides(here, space.remotes, known);
  return { ...space, weft, spaceId, folder, lock, known, contents, faults, plan };
}

const MAX_LINES = 40;

/** The changes, one line for each difference. */
export function differences(from: AnyFile, to: AnyFile): string[] {
  const isWorkflow = "definition" in from && "definition" in to;
  const lines = isWorkflow
    ? linesOf(diffWorkflows(from, to))
    : diffJson(from, to, new JsonIdentity(), new DiffBudget(MAX_DIFF_CHARS)).map(change => changeLine("", change));
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more`];
}

/** Removes entries that are gone on both sides, and records objects that became equal. */
export function recordEqualEntries({ plan, known, remotes }: Sides): void {
  for (const { key, difference } of plan) {
    if (difference !== "same") continue;
    const remote: Remote | undefined = remotes.get(key);
    if (remote) known.set(key, { id: remote.id, sha256: remote.sha256 });
    else known.delete(key);
  }
}
