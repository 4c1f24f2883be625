import { rm } from "node:fs/promises";
import { ServiceBroker } from "moleculer";
import { v7 as uuid } from "uuid";
import { createExpressions } from "../../adapters/expressions/index.ts";
import type { OutboundStream } from "../../adapters/net/port.ts";
import { createSandbox } from "../../adapters/sandbox/index.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import type { StepEntry } from "../../core/run/entry.ts";
import { Engine } from "../../services/executions/engine/engine.ts";
import { engineObserver } from "../../services/executions/engine/observe-runs.ts";
import type { Ended } from "../../services/executions/engine/waiters.ts";
import { FollowerRegistry } from "../../services/executions/engine/follower-registry.ts";
import { ExecutionJournal } from "../../services/executions/store/journal.ts";
import { Signals, Waits } from "../../services/executions/store/signal-model.ts";
import {
  Answers,
  Executions,
  Journal,
  Slots,
  Workers,
  type ExecutionDoc,
} from "../../services/executions/store/model.ts";
import { Values } from "../../services/executions/store/values.ts";
import { temporaryFolder } from "./server.ts";

const workflowId = uuid();
export const workspaceId = uuid();

/**
 * Engines on one store, without the service around them. Calls of `http` steps wait until the test responds to them.
 */
export class EngineStage {
  readonly store: Store;
  /** Functions that end the current calls, oldest first. */
  calls: (() => void)[] = [];
  /** Called with each call that a step makes. */
  called: (url: string) => void = () => undefined;
  readonly #dataDir: string;
  readonly #expressions = createExpressions();
  readonly #sandbox = createSandbox();
  readonly #engines: Engine[] = [];

  private constructor(store: Store, dataDir: string) {
    this.store = store;
    this.#dataDir = dataDir;
  }

  static async open(): Promise<EngineStage> {
    const dataDir = await temporaryFolder();
    const collections = [Executions, Journal, Answers, Slots, Waits, Signals, Workers];
    return new EngineStage(await openStore({ dataDir, sync: "normal", collections }), dataDir);
  }

  /** Starts an engine for this definition, on the stage's store or on a wrapper of it. */
  async startEngine(definition: unknown, store = this.store): Promise<Engine> {
    const broker = new ServiceBroker({ logger: false });
    const about = { workflowId, version: 1, name: "w", description: "", createdBy: uuid(), createdAt: "" };
    broker.call = () => Promise.resolve({ ...about, definition });
    async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
    const stream = ({ url }: { url: string | URL }) =>
      new Promise<OutboundStream>(resolve => {
        this.calls.push(() => resolve({ status: 200, headers: {}, body: nothing(), url: "" }));
        this.called(String(url));
      });
    const { logger } = broker;
    const parts = {
      hashKey: "a key",
      workerId: uuid(),
      store,
      broker,
      logger,
      expressions: this.#expressions,
      sandbox: this.#sandbox,
      watch: new FollowerRegistry(broker),
      values: new Values(undefined as never, 1),
      observer: engineObserver,
      stream,
      connect: () => Promise.reject(new Error("No step connects here.")),
      spreadsheets: {
        read: () => Promise.reject(new Error("No step reads a spreadsheet here.")),
        write: () => Promise.reject(new Error("No step writes a spreadsheet here.")),
      },
      databases: { run: () => Promise.reject(new Error("No step connects here.")) },
      cancel: () => Promise.resolve(),
      followUp: () => undefined,
    };
    const engine = new Engine(parts, { concurrency: 64, perWorkspace: 1_000, leaseMs: 60_000 });
    await engine.start();
    this.#engines.push(engine);
    return engine;
  }

  /** The document of a new execution. */
  newDoc(): ExecutionDoc {
    return {
      id: uuid(),
      workspaceId,
      spaceId: workspaceId,
      workflowId,
      workflowVersion: 1,
      status: "pending",
      trigger: { type: "manual" },
      startedBy: uuid(),
      attempt: 1,
      createdAt: new Date(),
    };
  }

  async begin(
    engine: Engine,
    input: unknown = null,
    doc: ExecutionDoc = this.newDoc(),
  ): Promise<{ id: string; ended: Ended | undefined }> {
    const { id, trigger } = doc;
    const at = doc.createdAt.toISOString();
    const created = { seq: 0, event: "execution.created", at, input, trigger } as const;
    return { id, ended: await engine.begin(doc, created, await engine.definitions.get(workspaceId, workflowId, 1)) };
  }

  get executions() {
    return this.store.acrossTenants(Executions);
  }

  /** The log of an execution. */
  async entries(id: string): Promise<StepEntry[]> {
    return (await new ExecutionJournal(this.store, workspaceId, id).read(0, 1_000)).entries;
  }

  /** Responds to all calls and stops all engines. */
  async clear(): Promise<void> {
    for (const answer of this.calls) answer();
    for (const engine of this.#engines.splice(0)) await engine.stop();
    this.calls = [];
    this.called = () => undefined;
  }

  async close(): Promise<void> {
    await this.#expressions.close();
    await this.#sandbox.close();
    await this.store.close();
    await rm(this.#dataDir, { recursive: true });
  }
}
