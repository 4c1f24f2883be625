import type { ServiceBroker } from "moleculer";
import { config } from "../config.ts";
import { call } from "../contracts/call.ts";
import { QUOTA_NAMES, type Quotas } from "../contracts/entities/quota.ts";

/** How long a node may use an outdated quota. */
const FRESH_MS = 5_000;
const TIMEOUT_MS = 5_000;
const MAX_REMEMBERED = 10_000;

interface Remembered {
  until: number;
  quotas: Promise<Quotas>;
}

const remembered = new Map<string, Remembered>();

/** The limits of the installation. */
const usual = (): Quotas => {
  const { LIMITS } = config();
  return Object.fromEntries(QUOTA_NAMES.map(name => [name, LIMITS[name]])) as Quotas;
};

/** During an upgrade, the only nodes with the service may run the previous version, which has no quotas. */
async function ask(broker: ServiceBroker, workspaceId: string): Promise<Quotas> {
  if (!broker.registry.actions.isAvailable("workspaces.quotas")) return usual();
  return call(broker, "workspaces.quotas", { workspaceId }, { timeout: TIMEOUT_MS });
}

/**
 * The quotas of a workspace, at most five seconds old.
 * @throws the error of the service when it does not respond
 */
export function quotasOf(broker: ServiceBroker, workspaceId: string): Promise<Quotas> {
  const now = performance.now();
  const found = remembered.get(workspaceId);
  if (found && now < found.until) return found.quotas;
  const quotas = ask(broker, workspaceId);
  const kept = { until: now + FRESH_MS, quotas };
  quotas.catch(() => {
    if (remembered.get(workspaceId) === kept) remembered.delete(workspaceId);
  });
  remembered.delete(workspaceId);
  remembered.set(workspaceId, kept);
  if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
  return quotas;
}

/** Forgets the cached quotas, because this process changed them. Other processes notice after five seconds. */
export function forgetQuotas(workspaceId: string): void {
  remembered.delete(workspaceId);
}
