import type { ServiceBroker } from "moleculer";
import { ACTIONS, type ActionName } from "../../contracts/actions.ts";
import { call } from "../../contracts/call.ts";

const PROBE_TIMEOUT_MS = 2_000;
/** Probes come often and from many; the dependencies are asked once in this time, sooner while one is away. */
const KEEP_MS = { ok: 1_000, degraded: 1_000, down: 50 };
/** Nobody's id: looking for it reads the store and finds nothing. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

type State = "ok" | "down";
/** `degraded`: it answers, but searches miss entries or vectors. */
type SearchState = State | "degraded";

export interface Readiness {
  /** `degraded`: all is served, but searches lack what `search` of the dependencies says. */
  status: State | "degraded";
  dependencies: { store: State; nats?: State; search?: SearchState; services: Record<string, State> };
}

function actionsByService(): Map<string, ActionName[]> {
  return Map.groupBy(Object.keys(ACTIONS) as ActionName[], name => name.slice(0, name.indexOf(".")));
}

/** A full disk still answers reads, so the store has to prove that it takes a write. */
async function storeState(broker: ServiceBroker): Promise<State> {
  const options = { timeout: PROBE_TIMEOUT_MS };
  try {
    // During an upgrade, nodes of the version before may be the only ones with this service.
    if (broker.registry.actions.isAvailable("identity.proveStore"))
      await call(broker, "identity.proveStore", {}, options);
    else await call(broker, "identity.users", { ids: [NOBODY] }, options);
    return "ok";
  } catch {
    return "down";
  }
}

/** Nothing where no server has the index, or nobody can say. */
async function searchState(broker: ServiceBroker): Promise<SearchState | undefined> {
  try {
    const { state } = await call(broker, "memory.searchState", {}, { timeout: PROBE_TIMEOUT_MS });
    return state === "embedded" ? undefined : state;
  } catch {
    return undefined;
  }
}

/** What this node needs to serve requests, and whether it is there. */
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
    const [store, search] = await Promise.all([
      services.identity === "ok" ? storeState(this.#broker) : ("down" as const),
      services.memory === "ok" ? searchState(this.#broker) : undefined,
    ]);
    const needed = [store, nats ?? "ok", ...Object.values(services)].every(state => state === "ok");
    // Without its index a search goes by words, which is no reason to send nobody here.
    const status = needed ? ((search ?? "ok") === "ok" ? "ok" : "degraded") : "down";
    return { status, dependencies: { store, nats, search, services } };
  }

  #serviceState(actions: ActionName[]): State {
    const reachable = (name: ActionName) => this.#broker.registry.actions.isAvailable(name);
    return actions.some(reachable) ? "ok" : "down";
  }
}
