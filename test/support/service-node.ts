import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, ServiceBroker, type ServiceSchema } from "moleculer";
import { v7 as uuid } from "uuid";
import type { ActionName, InputOf, OutputOf } from "../../contracts/actions.ts";
import type { Identity, UserIdentity } from "../../contracts/entities/user.ts";
import { config } from "../../config.ts";
import { brokerOptions } from "../../broker-options.ts";
import { realServers } from "./real-servers.ts";

/** Creates a data folder for this test file. Call it before anything reads the configuration. */
export function ownDataDir(): void {
  const dir = mkdtempSync(join(tmpdir(), "weft-services-"));
  const real = realServers(dir);
  process.env.DATA_DIR = dir;
  // Settings of the shell must not affect the test.
  delete process.env.MONGODB_URI;
  delete process.env.QDRANT_URL;
  Object.assign(process.env, real);
  process.env.JWT_SECRET = "a secret for tests that is long enough for anything";
  process.env.METRICS_PORT = "0";
  process.env.SECRETS_KEY = "another secret for tests that is long enough as well";
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
}

export interface ServiceNode {
  broker: ServiceBroker;
  /** Calls an action as this user, or without an identity. */
  act<N extends ActionName>(as: Identity | null, name: N, params: InputOf<N>): Promise<OutputOf<N>>;
  service<T>(name: string): Service & T;
  stop(): Promise<void>;
}

/** Services in this process, with the middlewares of every node. */
export async function startServices(...schemas: ServiceSchema[]): Promise<ServiceNode> {
  const broker = new ServiceBroker({ ...brokerOptions(config()), logger: false });
  for (const schema of schemas) broker.createService(schema);
  await broker.start();
  return {
    broker,
    act: <N extends ActionName>(as: Identity | null, name: N, params: InputOf<N>) =>
      broker.call<OutputOf<N>, unknown>(name, params, as ? { meta: { identity: as } } : {}),
    service: name => broker.getLocalService(name) as never,
    stop: () => broker.stop(),
  };
}

/** The ids that actions on a space need. */
export interface Scope {
  workspaceId: string;
  spaceId: string;
}

/** A new workspace of this user, with its default space. Requires the service `workspaces`. */
export async function newScope(node: ServiceNode, caller: Identity): Promise<Scope> {
  const { id } = await node.act(caller, "workspaces.create", { name: "Acme" });
  return { workspaceId: id, spaceId: id };
}

/** A user who has a session only for the access check. */
export const userIdentity = (userId: string = uuid()): UserIdentity => ({ kind: "user", userId, sessionId: uuid() });

/** A stub of `executions`, which has nothing to purge here. */
export function fakeExecutions(
  purge: (params: { workspaceId: string; spaceId?: string }) => void | Promise<void>,
): ServiceSchema {
  return {
    name: "executions",
    actions: {
      async purge(ctx) {
        await purge(ctx.params as { workspaceId: string; spaceId?: string });
        return null;
      },
    },
  };
}

/** Stubs of services that have nothing to purge here. */
export const fakePurges = (...names: string[]): ServiceSchema[] =>
  names.map(name => ({ name, actions: { purge: () => null } }));

export { until } from "./until.ts";

export const refusal = (type: string) => expect.objectContaining({ type }) as unknown;

/** The distinct error codes of these calls; `ok` for calls that succeeded. */
export async function outcomes(calls: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls);
  const types = settled.map(one => (one.status === "fulfilled" ? "ok" : (one.reason as { type: string }).type));
  return [...new Set(types)].sort();
}
