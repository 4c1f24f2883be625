import type { Context, Service, ServiceSchema } from "moleculer";
import { v7 as uuid } from "uuid";
import { createExpressions } from "../../adapters/expressions/index.ts";
import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";
import { config } from "../../config.ts";
import type { EventOf } from "../../contracts/events.ts";
import { storeMixin } from "../../mixins/store.mixin.ts";
import { approve, respond } from "./answer-execution.ts";
import { cancel } from "./cancel-execution.ts";
import { Engine } from "./engine/engine.ts";
import { Watch } from "./engine/watch.ts";
import { launchExecution } from "./launch-execution.ts";
import { Executions, Journal, Workers } from "./model.ts";
import { purge } from "./purge-executions.ts";
import { getOne, list, logs } from "./read-executions.ts";
import { retry } from "./retry-execution.ts";
import type { ExecutionsService } from "./service.ts";
import { startExecution } from "./start-execution.ts";

type Self = Service & Partial<ExecutionsService>;

const service: ServiceSchema = {
  name: "executions",
  mixins: [storeMixin([Executions, Journal, Workers])],
  actions: {
    start: startExecution,
    launch: launchExecution,
    list,
    get: getOne,
    logs,
    respond,
    approve,
    cancel,
    retry,
    purge,
  },
  events: {
    "execution.queued"(this: Self) {
      this.engine?.poke();
    },
    "execution.cancelled"(this: Self, ctx: Context<EventOf<"execution.cancelled">>) {
      this.engine?.abort(ctx.params.executionId);
    },
    "execution.watched"(this: Self, ctx: Context<EventOf<"execution.watched">>) {
      this.watch?.add(ctx.params.executionId, ctx.params.forMs);
    },
    "execution.appended"(this: Self, ctx: Context<EventOf<"execution.appended">>) {
      this.engine?.heardOf(ctx.params.executionId);
    },
  },
  async started(this: Self) {
    const { EXECUTIONS_CONCURRENCY, EXECUTIONS_PER_WORKSPACE, WORKER_LEASE_MS, OUTBOUND_ALLOW } = config();
    const { store, broker, logger } = this;
    if (!store) throw new Error("the store mixin starts before this service does");
    this.launches = new Map();
    const net = (this.net = createGuardedFetch({ allow: OUTBOUND_ALLOW }));
    const expressions = (this.expressions = createExpressions());
    const watch = (this.watch = new Watch(broker));
    this.engine = new Engine(
      { workerId: uuid(), store, broker, logger, expressions, watch, fetch: request => net.fetch(request) },
      { concurrency: EXECUTIONS_CONCURRENCY, perWorkspace: EXECUTIONS_PER_WORKSPACE, leaseMs: WORKER_LEASE_MS },
    );
    await this.engine.start();
  },
  methods: {
    async beforeDrain(this: Self) {
      await this.engine?.stop();
    },
  },
  async stopped(this: Self) {
    await this.engine?.stop();
    await this.expressions?.close();
    await this.net?.close();
  },
};

export default service;
