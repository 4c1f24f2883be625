import { effectiveSettings, VERSION } from "../../config.ts";
import { call, handle } from "../../contracts/call.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { users } from "./model.ts";

/** A status without some of its parts is of more use than none. */
const PART = { timeout: 5_000 };

/** What a node says of itself to the others. */
interface SeenNode {
  id: string;
  available: boolean;
  services?: Record<string, unknown>[];
  metadata?: Record<string, unknown> | null;
}

function presentNode({ id, available, services = [], metadata }: SeenNode) {
  const version = typeof metadata?.version === "string" ? metadata.version : null;
  const names = services.map(service => String(service.name)).filter(name => !name.startsWith("$"));
  return { id, available, version, services: names };
}

export const status = handle<"identity.operator.status", WithStore>("identity.operator.status", async function (ctx) {
  const { broker } = ctx;
  const all = this.store.global(users);
  const [total, disabled, workspaces, queue] = await Promise.all([
    all.count(ALIVE),
    all.count({ ...ALIVE, disabledAt: { $exists: true, $ne: null } }),
    call(ctx, "workspaces.count", {}, PART).then(
      counted => counted.workspaces,
      () => null,
    ),
    call(ctx, "executions.queue", {}, PART).catch(() => null),
  ]);
  const nodes: SeenNode[] = broker.registry.getNodeList({ onlyAvailable: false, withServices: true });
  return {
    version: VERSION,
    users: { total, disabled },
    workspaces,
    queue,
    nodes: nodes.map(presentNode),
    configuration: { node: broker.nodeID, settings: effectiveSettings() },
  };
});
