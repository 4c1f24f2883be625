import type { ServiceBroker } from "moleculer";
import { config } from "../../config.ts";
import { lastBackup } from "../../adapters/transfer/last-backup.ts";
import type { Store } from "../../adapters/store/port.ts";
import { type ActionContext, call } from "../../contracts/call.ts";
import type { OutputOf } from "../../contracts/actions.ts";
import type { WatchedNumber } from "../../contracts/entities/operator.ts";

type Context = ActionContext<"identity.operator.status">;
type Queue = OutputOf<"executions.queue"> | null;
type WorkerState = OutputOf<"executions.worker">;
export type Workers = ReadonlyMap<string, WorkerState>;

/** A part of the status that does not respond within this time is left out. */
export const PART = { timeout: 5_000 };

/** The alarms whose values one query can read. A test compares the bounds with `ops/prometheus/alerts.yml`. */
export const WATCHED = {
  WeftQueueStuck: { above: 60, unit: "seconds" },
  WeftQueueLong: { above: 1_000, unit: "runs" },
  WeftTimersLate: { above: 30, unit: "seconds" },
  WeftWorkersFull: { above: 0.9, unit: "share" },
  WeftExecutionsFailing: { above: 0.5, unit: "share" },
  WeftIndexBehind: { above: 600, unit: "seconds" },
} as const satisfies Record<string, Pick<WatchedNumber, "above" | "unit">>;

const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** What each node that runs workflows reports about itself. Nodes of earlier versions do not report. */
export async function askWorkers(ctx: Context, broker: ServiceBroker, nodes: readonly string[]): Promise<Workers> {
  const { actions } = broker.registry;
  const able = nodes.filter(nodeID => actions.get("executions.worker")?.getEndpointByNodeID(nodeID));
  const told = await Promise.all(
    able.map(nodeID => call(ctx, "executions.worker", {}, { ...PART, nodeID }).catch(() => null)),
  );
  return new Map(able.flatMap((nodeID, place) => (told[place] ? [[nodeID, told[place]] as const] : [])));
}

/** The longest time that texts of any kind have been waiting for the index. Null if no service reports it. */
async function indexLag(ctx: Context): Promise<number | null> {
  const lags = await Promise.all(
    (["memory.embeddings", "knowledge.embeddings", "mcp.embeddings"] as const).map(name =>
      call(ctx, name, {}, PART).then(
        ({ lagSeconds }) => [lagSeconds],
        () => [],
      ),
    ),
  );
  const known = lags.flat();
  return known.length > 0 ? Math.max(...known) : null;
}

export async function watchedNumbers(ctx: Context, queue: Queue, workers: Workers): Promise<WatchedNumber[]> {
  const sum = (of: (state: WorkerState) => number) => [...workers.values()].reduce((all, state) => all + of(state), 0);
  const ended = sum(({ ended: { completed, failed, cancelled } }) => completed + failed + cancelled);
  const values: Record<keyof typeof WATCHED, number | null> = {
    WeftQueueStuck: queue?.oldestSeconds ?? null,
    WeftQueueLong: queue?.queued ?? null,
    WeftTimersLate: queue?.lateSeconds ?? null,
    WeftWorkersFull: share(
      sum(({ held }) => held),
      sum(({ capacity }) => capacity),
    ),
    WeftExecutionsFailing: share(
      sum(({ ended: { failed } }) => failed),
      ended,
    ),
    WeftIndexBehind: await indexLag(ctx),
  };
  return Object.entries(WATCHED).map(([alarm, watched]) => ({
    alarm,
    value: values[alarm as keyof typeof WATCHED],
    ...watched,
  }));
}

/** The size of the data, and the time of the last backup. */
export async function storageOf(ctx: Context, store: Store) {
  const { DATA_DIR, MONGODB_URI } = config();
  const unknown = { used: null, free: null, version: null };
  const [{ version, ...space }, files, backupAt] = await Promise.all([
    store.space().catch(() => unknown),
    call(ctx, "files.total", {}, PART).then(
      ({ bytes }) => bytes,
      () => null,
    ),
    MONGODB_URI ? null : lastBackup(DATA_DIR),
  ]);
  return {
    storage: { store: MONGODB_URI ? ("mongodb" as const) : ("embedded" as const), ...space, files, backupAt },
    version,
  };
}

/** The NATS server that this node is connected to, as moleculer's transporter stores it. */
interface Transporter {
  client?: { info?: { version?: unknown } | null } | null;
}

/** The versions of the servers that the nodes use. */
export async function serverVersions(ctx: Context, broker: ServiceBroker) {
  const nats = (broker.transit?.tx as Transporter | undefined)?.client?.info?.version;
  const search = await call(ctx, "memory.searchState", { version: true }, PART).then(
    told => told.version ?? null,
    () => null,
  );
  return { nats: typeof nats === "string" ? nats : null, search };
}
