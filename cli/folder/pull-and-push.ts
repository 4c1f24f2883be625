import type { Planned } from "../../core/exchange/folder-plan.ts";
import { argument, FAILED, type Invocation } from "../command.ts";
import { Folder, kindOf } from "./files.ts";
import { type Change, deployAll, pushAll } from "./push.ts";
import { differences, recordEqualEntries, type Sides, sidesOf } from "./sides.ts";
import { textOf } from "./space.ts";
import { jsonText, printMessage, printResult, withoutControls } from "../terminal.ts";

/** Lists the objects that changed on both sides. Returns the exit code. */
function refuse(keys: readonly string[], advice: string): number {
  for (const key of keys) printMessage(`! ${key}  changed on both sides`);
  printMessage(advice);
  return FAILED;
}

interface Line {
  sign: "+" | "~" | "-" | "^";
  file: string;
  differences?: string[];
}

/** Prints the changes before they are made. */
function show(given: Invocation, lines: readonly Line[], conflicts: readonly Planned[]): void {
  if (given.flag("json")) return printResult(jsonText({ changes: lines, conflicts: conflicts.map(({ key }) => key) }));
  for (const { sign, file, differences: found = [] } of lines) {
    printResult(`${sign} ${file}`);
    found.forEach(line => printResult(`    ${withoutControls(line)}`));
  }
}

function changeLine(sides: Sides, key: string, from: "here" | "there"): Line {
  const [here, there] = [sides.contents.get(key), sides.remotes.get(key)?.content];
  const [old, next] = from === "here" ? [here, there] : [there, here];
  if (!next) return { sign: "-", file: key };
  if (!old) return { sign: sides.faults.has(key) ? "~" : "+", file: key };
  return { sign: "~", file: key, differences: differences(old, next) };
}

export async function pull(given: Invocation): Promise<number | void> {
  const sides = await sidesOf(given);
  const { spaceId, folder, lock, remotes, known, plan } = sides;
  const [dry, force] = [given.flag("dry-run"), given.flag("force")];
  const isTaken = ({ difference, there }: Planned) =>
    ["there", "new-there", "gone-here", "gone-there"].includes(difference) ||
    (difference === "both" && force && there !== undefined);
  const taken = plan.filter(isTaken);
  const conflicts = plan.filter(one => one.difference === "both" && !isTaken(one));
  const lines = taken.map(({ key }) => changeLine(sides, key, "here"));
  show(given, lines, conflicts);
  if (lines.length + conflicts.length === 0) printMessage("Nothing changed on the server.");
  if (!dry) {
    recordEqualEntries(sides);
    for (const { key } of taken) {
      const remote = remotes.get(key);
      if (remote) {
        await folder.write(key, textOf(remote.content));
        known.set(key, { id: remote.id, sha256: remote.sha256 });
      } else {
        await folder.remove(key);
        known.delete(key);
      }
    }
    await lock.remember(spaceId, known);
  }
  if (conflicts.length > 0) {
    const advice = "Nothing of these was written. --force takes what the server has.";
    return refuse(
      conflicts.map(({ key }) => key),
      advice,
    );
  }
}

const PUSHED: ReadonlySet<string> = new Set(["here", "new-here", "gone-here"]);

export async function push(given: Invocation): Promise<number | void> {
  await new Folder(argument(given)).demand();
  const sides = await sidesOf(given);
  const { weft, spaceId, lock, remotes, known, plan, contents, faults } = sides;
  const [force, deploys] = [given.flag("force"), given.flag("deploy")];
  // Objects that exist only on the server stay there. So `--force` overwrites versions, which can be restored, and
  // deletes nothing.
  const conflicts = plan.filter(one => one.difference === "both" && !(force && one.here));
  const pushed = plan.filter(
    one => (PUSHED.has(one.difference) || one.difference === "both") && !conflicts.includes(one),
  );
  const changes: Change[] = pushed.map(one => ({ ...one, content: contents.get(one.key) ?? null }));
  const [faulty] = faults.values();
  if (faulty) throw faulty;
  const changing = new Set(changes.map(({ key }) => key));
  const outdated = (key: string) =>
    changing.has(key) || remotes.get(key)?.deployedVersion !== remotes.get(key)?.version;
  const behind = plan.filter(({ difference }) => ["there", "new-there", "gone-there"].includes(difference));
  const isBehind = new Set(behind.map(({ key }) => key));
  const deployed = [...contents.keys()].filter(
    key => deploys && kindOf(key) === "workflows" && !isBehind.has(key) && outdated(key),
  );
  const lines = changes.map(({ key }) => changeLine(sides, key, "there"));
  show(given, [...lines, ...deployed.map(file => ({ sign: "^" as const, file }))], conflicts);
  if (behind.length > 0)
    printMessage(`${behind.length} changes of the server are not in the folder. Pull to get them.`);
  else if (lines.length + deployed.length + conflicts.length === 0) printMessage("The space equals the folder.");
  if (conflicts.length > 0) {
    const advice = "Nothing was pushed. Pull into another branch and merge, or --force.";
    return refuse(
      conflicts.map(({ key }) => key),
      advice,
    );
  }
  if (given.flag("dry-run")) return;
  recordEqualEntries(sides);
  const remember = () => lock.remember(spaceId, known);
  const target = { ...sides, message: given.text("message"), remember };
  const overtaken = await pushAll(target, changes);
  if (overtaken !== null) {
    await remember();
    return refuse([overtaken], "It changed on the server meanwhile. Pull, and push again.");
  }
  await remember();
  const failed = await deployAll(
    { ...target, weft },
    deployed.filter(key => remotes.has(key)),
  );
  if (failed.length > 0) return FAILED;
}
