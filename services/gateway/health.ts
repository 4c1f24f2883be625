import type { ServiceBroker } from "moleculer";
import { ACTIONS, type ActionName } from "../../contracts/actions.ts";
import { call } from "../../contracts/call.ts";

const PROBE_TIMEOUT_MS = 2_000;
/** Probes come often and from many; the dependencies are asked once in this time, sooner while one is away. */
const KEEP_MS = { ok: 1_000, down: 50 };
/** Nobody's id: looking for it reads the store and finds nothing. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

type State = "ok" | "down";

export interface Readiness {
  status: State;
  dependencies: { store: State; nats?: State; services: Record<string, State> };
}

function actionsByService(): Map<string, ActionName[]> {
  return Map.groupBy(Object.keys(ACTIONS) as ActionName[], name => name.slice(0, name.indexOf(".")));
}

async function storeState(broker: ServiceBroker): Promise<State> {
  try {
    await call(broker, "identity.users", { ids: [NOBODY] }, { timeout: PROBE_TIMEOUT_MS });
    return "ok";
  } catch {
    return "down";
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
    const store = services.identity === "ok" ? await storeState(this.#broker) : "down";
    const all = [store, nats ?? "ok", ...Object.values(services)];
    return { status: all.every(state => state === "ok") ? "ok" : "down", dependencies: { store, nats, services } };
  }

  #serviceState(actions: ActionName[]): State {
    const reachable = (name: ActionName) => this.#broker.registry.actions.isAvailable(name);
    return actions.some(reachable) ? "ok" : "down";
  }
}
