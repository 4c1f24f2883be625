import { effectiveSettings, VERSION } from "../../config.ts";
import type { OutputOf } from "../../contracts/actions.ts";
import { call, handle } from "../../contracts/call.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { users } from "./model.ts";
import { askWorkers, PART, serverVersions, storageOf, watchedNumbers, type Workers } from "./operator-numbers.ts";

/** What a node reports about itself to the others. */
interface SeenNode {
  id: string;
  available: boolean;
  services?: Record<string, unknown>[];
  metadata?: Record<string, unknown> | null;
}

function presentNode({ id, available, services = [], metadata }: SeenNode, workers: Workers) {
  const version = typeof metadata?.version === "string" ? metadata.version : null;
  const names = services.map(service => String(service.name)).filter(name => !name.startsWith("$"));
  const worker = workers.get(id);
  const holds = worker && { worker: { held: worker.held, capacity: worker.capacity } };
  return { id, available, version, services: names, ...holds };
}

const depthOf = ({ queued, held, sleeping, suspended, workers }: OutputOf<"executions.queue">) => ({
  ...{ queued, held, sleeping, suspended, workers },
});

export const status = handle<"identity.operator.status", WithStore>("identity.operator.status", async function (ctx) {
  const { broker } = ctx;
  const all = this.store.global(users);
  const nodes: SeenNode[] = broker.registry.getNodeList({ onlyAvailable: false, withServices: true });
  const here = nodes.filter(({ available }) => available).map(({ id }) => id);
  const [total, disabled, workspaces, queue, workers, { storage, version }, servers] = await Promise.all([
    all.count(ALIVE),
    all.count({ ...ALIVE, disabledAt: { $exists: true, $ne: null } }),
    call(ctx, "workspaces.count", {}, PART).then(
      counted => counted.workspaces,
      () => null,
    ),
    call(ctx, "executions.queue", {}, PART).catch(() => null),
    askWorkers(ctx, broker, here),
    storageOf(ctx, this.store),
    serverVersions(ctx, broker),
  ]);
  return {
    version: VERSION,
    users: { total, disabled },
    workspaces,
    queue: queue && depthOf(queue),
    nodes: nodes.map(node => presentNode(node, workers)),
    watched: await watchedNumbers(ctx, queue, workers),
    storage,
    versions: { store: version, ...servers },
    configuration: { node: broker.nodeID, settings: effectiveSettings() },
  };
});
