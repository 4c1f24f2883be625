import type { ServiceBroker } from "moleculer";
import { ACTIONS, type ActionName } from "../../contracts/actions.ts";
import { call } from "../../contracts/call.ts";

const PROBE_TIMEOUT_MS = 2_000;
/**
 * Probes are frequent and come from many clients. So the dependencies are checked only once in this time, and more
 * often while one is down.
 */
const KEEP_MS = { ok: 1_000, degraded: 1_000, down: 50 };
/** An id that no document has. The query reads the store and finds nothing. */
const UNKNOWN_USER = "00000000-0000-0000-0000-000000000000";

type State = "ok" | "down";
/** `degraded`: the index is available, but lacks some entries or vectors. */
type SearchState = State | "degraded";

export interface Readiness {
  /** `degraded`: requests are served, but searches or files are limited, as `search` and `files` report. */
  status: State | "degraded";
  dependencies: { store: State; files?: State; nats?: State; search?: SearchState; services: Record<string, State> };
}

function actionsByService(): Map<string, ActionName[]> {
  return Map.groupBy(Object.keys(ACTIONS) as ActionName[], name => name.slice(0, name.indexOf(".")));
}

/** With a full disk, reads still succeed, so the check includes a write. */
async function storeState(broker: ServiceBroker): Promise<State> {
  const options = { timeout: PROBE_TIMEOUT_MS };
  try {
    // During an upgrade, the only nodes with this service may run the previous version, which lacks the action.
    if (broker.registry.actions.isAvailable("identity.proveStore"))
      await call(broker, "identity.proveStore", {}, options);
    else await call(broker, "identity.users", { ids: [UNKNOWN_USER] }, options);
    return "ok";
  } catch {
    return "down";
  }
}

/** Undefined if no service can report its state. During an upgrade, only nodes of the previous version may run. */
async function filesState(broker: ServiceBroker): Promise<State | undefined> {
  if (!broker.registry.actions.isAvailable("files.state")) return undefined;
  try {
    return (await call(broker, "files.state", {}, { timeout: PROBE_TIMEOUT_MS })).state;
  } catch {
    return "down";
  }
}

/** Undefined if the index is embedded, or if no service can report its state. */
async function searchState(broker: ServiceBroker): Promise<SearchState | undefined> {
  try {
    const { state } = await call(broker, "memory.searchState", {}, { timeout: PROBE_TIMEOUT_MS });
    return state === "embedded" ? undefined : state;
  } catch {
    return undefined;
  }
}

/** The dependencies of this node, and whether they are available. */
export class Health {
  readonly #broker: ServiceBroker;
  readonly #services = actionsByService();
  #asking: Promise<Readiness> | undefined;
  #kept: { until: number; readiness: Readiness } | undefined;

  constructor(broker: ServiceBroker) {
    this.#broker = broker;
  }

  async ready(): Promise<Readiness> {
    if (this.#kept && performance.now() < this.#kept.until) return this.#kept.readiness;
    this.#asking ??= this.#probe().finally(() => (this.#asking = undefined));
    const readiness = await this.#asking;
    this.#kept = { until: performance.now() + KEEP_MS[readiness.status], readiness };
    return readiness;
  }

  async #probe(): Promise<Readiness> {
    const services = Object.fromEntries(
      [...this.#services].map(([name, actions]) => [name, this.#serviceState(actions)] as const),
    );
    const { transit } = this.#broker;
    const nats: State | undefined = transit ? (transit.tx.connected ? "ok" : "down") : undefined;
    const [store, files, search] = await Promise.all([
      services.identity === "ok" ? storeState(this.#broker) : ("down" as const),
      filesState(this.#broker),
      services.memory === "ok" ? searchState(this.#broker) : undefined,
    ]);
    const needed = [store, nats ?? "ok", ...Object.values(services)].every(state => state === "ok");
    // A search without its index uses keywords, and a node without its files still serves every run that needs none. So
    // the node stays ready for requests.
    const whole = [search ?? "ok", files ?? "ok"].every(state => state === "ok");
    const status = needed ? (whole ? "ok" : "degraded") : "down";
    return { status, dependencies: { store, files, nats, search, services } };
  }

  #serviceState(actions: ActionName[]): State {
    const reachable = (name: ActionName) => this.#broker.registry.actions.isAvailable(name);
    return actions.some(reachable) ? "ok" : "down";
  }
}
