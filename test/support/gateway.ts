import { type Context, ServiceBroker, type ServiceSchema } from "moleculer";
import type { AddressInfo } from "node:net";
import { ACTIONS, type ActionName, type OutputOf, type ParamsOf } from "../../contracts/actions.ts";
import type { Meta } from "../../contracts/call.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import { middlewares } from "../../middlewares/index.ts";
import { gateway } from "../../services/gateway/gateway.service.ts";
import type { GatewayConfig } from "../../services/gateway/http/settings.ts";

export const WORKSPACE = "01980000-0000-7000-8000-000000000001";
export const SPACE = "01980000-0000-7000-8000-000000000002";
export const ID = "01980000-0000-7000-8000-000000000003";
export const OTHER_ID = "01980000-0000-7000-8000-000000000004";
export const TOKEN = "a-good-token";
export const IDENTITY: Identity = {
  kind: "user",
  userId: "01980000-0000-7000-8000-000000000005",
  sessionId: "01980000-0000-7000-8000-000000000006",
};
export const SPACE_PATH = `/v1/workspaces/${WORKSPACE}/spaces/${SPACE}`;

type Stub<N extends ActionName> = (
  params: ParamsOf<N>,
  ctx: Context<ParamsOf<N>, Meta>,
) => OutputOf<N> | Promise<OutputOf<N>>;
export type Stubs = { [N in ActionName]?: Stub<N> };

const DEFAULTS: Stubs = {
  "identity.verify": ({ token }) => (token === TOKEN ? IDENTITY : null),
  "identity.users": () => [],
  "workspaces.roleOf": ({ workspaceId }) => ({ role: workspaceId === WORKSPACE ? "editor" : null }),
  "pods.spaces.exists": ({ spaceId }) => ({ exists: spaceId === SPACE }),
  "audit.record": () => ({ id: ID }),
  "audit.conclude": () => null,
};

/** One service for each prefix of the names, with the given actions. */
export function stubServices(stubs: Stubs): ServiceSchema[] {
  const names = Object.keys(stubs) as ActionName[];
  return [...Map.groupBy(names, name => name.slice(0, name.indexOf(".")))].map(([service, actions]) => ({
    name: service,
    actions: Object.fromEntries(
      actions.map(name => [
        name.slice(service.length + 1),
        { handler: (ctx: Context) => (stubs[name] as (params: unknown, ctx: Context) => unknown)(ctx.params, ctx) },
      ]),
    ),
  }));
}

/** Every action, each of which fails because it should not be called. */
export function refusing(): Stubs {
  const refuse = () => {
    throw new Error("not expected to be called");
  };
  return Object.fromEntries(Object.keys(ACTIONS).map(name => [name, refuse]));
}

export const GATEWAY_CONFIG: GatewayConfig = {
  HOST: "127.0.0.1",
  PORT: 0,
  MAX_BODY_BYTES: 10_000,
  MAX_UPLOAD_BYTES: 1_000_000,
  MAX_FILE_BYTES: 1_000_000,
  CORS_ORIGINS: [],
  TRUST_PROXY: false,
  RATE_LIMIT_RPS: 10_000,
  RATE_LIMIT_BURST: 10_000,
  RATE_LIMIT_AUTH_PER_MINUTE: 1_000,
  SSE_MAX_MS: 60_000,
  LOG_REQUESTS: false,
  CONSOLE: false,
};

export interface TestGateway {
  broker: ServiceBroker;
  url: string;
  port: number;
  /** A request with the valid token. A body that is not a string is sent as JSON. */
  ask: (method: string, path: string, options?: AskOptions) => Promise<Answer>;
}

export interface AskOptions {
  body?: unknown;
  headers?: Record<string, string>;
  token?: string | null;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

async function ask(url: string, method: string, path: string, options: AskOptions = {}): Promise<Answer> {
  const { body, headers, token = TOKEN } = options;
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = /json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json && text ? JSON.parse(text) : undefined,
  };
}

/** A gateway on its own port, with stubs for the services behind it. Stop it with `broker.stop()`. */
export async function startGateway(stubs: Stubs = {}, config: Partial<GatewayConfig> = {}): Promise<TestGateway> {
  const broker = new ServiceBroker({
    logger: false,
    validator: false,
    requestTimeout: 5_000,
    tracking: { enabled: true, shutdownTimeout: 4_000 },
    internalMiddlewares: false,
    middlewares: [...middlewares, "ContextTracker", "Timeout", "ErrorHandler"],
  });
  stubServices({ ...DEFAULTS, ...stubs }).forEach(schema => broker.createService(schema));
  const service = broker.createService(gateway({ ...GATEWAY_CONFIG, ...config }));
  await broker.start();
  const { port } = (service as unknown as { server: { address(): AddressInfo } }).server.address();
  const url = `http://127.0.0.1:${port}`;
  return { broker, url, port, ask: (method, path, options) => ask(url, method, path, options) };
}
