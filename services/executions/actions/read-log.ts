import type { ParamsOf } from "../../../contracts/actions.ts";
import { handle } from "../../../contracts/call.ts";
import type { PathPart } from "../../../contracts/entities/execution.ts";
import { AppError, notFound } from "../../../contracts/errors.ts";
import { asList } from "../../../contracts/primitives.ts";
import { describeEntry, levelOf } from "../../../core/run/describe-entry.ts";
import type { StepEntry } from "../../../core/run/entry.ts";
import type { ExecutionJournal } from "../store/journal.ts";
import { presentEntry } from "../store/present.ts";
import { getExecution, journalOf } from "../store/read-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** The most entries that one page examines, and how many are read at a time. */
const MAX_SCANNED = 5_000;
const SCANNED_AT_A_TIME = 500;
/** A page ends early when its entries reach this length as JSON. */
const MAX_PAGE_CHARS = 1_000_000;

/** The seq of the last entry that a cursor has shown. The log only grows, so a cursor needs nothing else. */
function seqOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new AppError("invalid_cursor");
  return Number(cursor);
}

const isSamePath = (path: readonly PathPart[], wanted: readonly PathPart[]): boolean =>
  path.length === wanted.length &&
  path.every(({ nodeId, index }, i) => nodeId === wanted[i]?.nodeId && index === wanted[i].index);

/** Whether an entry passes the filters; null without filters. */
function filterOf(asked: ParamsOf<"executions.logs">): ((entry: StepEntry) => boolean) | null {
  const { nodeId, path, q, order, after = 0 } = asked;
  const levels = asList(asked.level);
  const events = asList(asked.event);
  // Reading in descending order does not stop at `after` by itself.
  const least = order === "desc" ? after : 0;
  if (nodeId === undefined && !path && q === undefined && levels.length + events.length + least === 0) return null;
  const text = q?.toLowerCase();
  return entry =>
    entry.seq > least &&
    (nodeId === undefined || entry.nodeId === nodeId) &&
    (!path || isSamePath(entry.path ?? [], path)) &&
    (levels.length === 0 || levels.includes(levelOf(entry))) &&
    (events.length === 0 || events.includes(entry.event)) &&
    (text === undefined || (entry.message ?? describeEntry(entry)).toLowerCase().includes(text));
}

type Read = (from: number, limit: number) => ReturnType<ExecutionJournal["read"]>;

/** A page of entries that pass the filter. `next` is the seq of the last entry that was looked at. */
async function scan(read: Read, passes: (entry: StepEntry) => boolean, from: number, limit: number) {
  const found: StepEntry[] = [];
  let chars = 0;
  let place = from;
  for (let scanned = 0; scanned < MAX_SCANNED;) {
    const { entries, more } = await read(place, SCANNED_AT_A_TIME);
    for (const entry of entries) {
      if (found.length === limit || chars > MAX_PAGE_CHARS) return { entries: found, next: place };
      place = entry.seq;
      scanned++;
      if (!passes(entry)) continue;
      found.push(entry);
      chars += JSON.stringify(entry).length;
    }
    if (!more) return { entries: found, next: null };
    // The embedded store reads synchronously, so other work gets a turn between two reads.
    await new Promise(setImmediate);
  }
  return { entries: found, next: place };
}

export const logs = handle<"executions.logs", ExecutionsService>("executions.logs", async function (ctx) {
  const { limit, cursor, order, after = 0, payloads } = ctx.params;
  const isDown = order === "desc";
  // A request for a further page repeats the `after` of the first request. The cursor takes precedence.
  const from = cursor !== undefined ? seqOf(cursor) : isDown ? Number.MAX_SAFE_INTEGER : after;
  const doc = await getExecution(this, ctx.params);
  const { parsed } = await this.engine.definitions.get(doc.workspaceId, doc.workflowId, doc.workflowVersion);
  const journal = journalOf(this, doc);
  const read: Read = (place, count) => (isDown ? journal.readBack(place, count) : journal.read(place, count));
  const passes = filterOf(ctx.params);
  const { entries, next } = await this.reads.run(async () => {
    if (passes) return scan(read, passes, from, limit);
    const page = await read(from, limit);
    return { entries: page.entries, next: page.more ? (page.entries.at(-1)?.seq ?? from) : null };
  });
  const items = entries.map(entry => presentEntry(doc.id, entry, parsed, payloads));
  return { items, next: next === null ? null : String(next) };
});

export const logEntry = handle<"executions.logEntry", ExecutionsService>("executions.logEntry", async function (ctx) {
  const doc = await getExecution(this, ctx.params);
  const { parsed } = await this.engine.definitions.get(doc.workspaceId, doc.workflowId, doc.workflowVersion);
  const entry = await this.reads.run(() => journalOf(this, doc).entryAt(ctx.params.seq));
  if (!entry) throw notFound("log entry");
  return presentEntry(doc.id, entry, parsed);
});
