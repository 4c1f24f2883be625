import { z } from "zod";
import { ConfigError, address, bool, choice, integer, list, share, text, isS3Address } from "./config/values.ts";
import { limits } from "./config/limits.ts";
import { type OidcProvider, oidcProviders } from "./config/oidc.ts";
import { type ShownSetting, shownProvider, shownSettings } from "./config/shown-settings.ts";
import { keptSecrets, keptSecretsVersion, MIN_SECRET_LENGTH } from "./config/secrets.ts";

export { type LimitName, LIMITS } from "./config/limits.ts";
export { OIDC_SETTINGS, type OidcProvider } from "./config/oidc.ts";
export { VERSION } from "./config/version.ts";

/** The services that a node can run, each a folder of that name under services/. */
export const SERVICE_NAMES = [
  "gateway",
  "identity",
  "workspaces",
  "pods",
  "workflows",
  "executions",
  "schedules",
  "webhooks",
  "credentials",
  "variables",
  "idempotency",
  "audit",
  "notifications",
  "models",
  "memory",
  "knowledge",
  "mcp",
  "files",
] as const;

const secret = text(`at least ${MIN_SECRET_LENGTH} characters`, new RegExp(`^.{${MIN_SECRET_LENGTH},}$`)).optional();

/** Every variable that the service reads, with its default. */
const schema = z.object({
  HOST: text("an address to listen on").default("0.0.0.0"),
  PORT: integer(0, 65_535).default(3000),
  PUBLIC_URL: address("http", "https").optional(),
  MAX_BODY_BYTES: integer(1_024, 16 * 1_048_576).default(1_048_576),
  MAX_UPLOAD_BYTES: integer(1_024, 64 * 1_048_576).default(20 * 1_048_576),
  MAX_FILE_BYTES: integer(1_024, 5 * 1_073_741_824).default(100 * 1_048_576),
  MAX_OUTPUT_BYTES: integer(262_144, 64 * 1_048_576).default(16 * 1_048_576),
  FILES_URL: address("s3").refine(isS3Address, "s3://<access key>:<secret key>@<host>/<bucket>").optional(),
  CORS_ORIGINS: list("origins such as https://example.com, by commas", /^(\*|https?:\/\/[^\s/]+)$/).default([]),
  TRUST_PROXY: bool.default(false),
  CONSOLE: bool.default(true),
  REGISTRATION: choice("open", "first", "invite", "closed").default("open"),
  CONTACT: text("one line of at most 200 characters", /^[^\r\n]{1,200}$/).optional(),
  SSO_ONLY: bool.default(false),
  DEMAND_FACTOR: bool.default(false),
  OPERATORS: list("e-mail addresses, by commas", /^[^\s@,]+@[^\s@,]+$/)
    .transform(addresses => addresses.map(one => one.toLowerCase()))
    .default([]),
  SMTP_URL: address("smtp", "smtps").optional(),
  MAIL_FROM: text("an address such as Weft <weft@example.com>", /^[^\r\n@]*[^\s@<>]@[^\s@<>]+>?$/).optional(),
  PASSWORDS_BREACHED: text("a file").optional(),
  DATA_DIR: text("a folder").default("./data"),
  MONGODB_URI: address("mongodb", "mongodb+srv").optional(),
  MONGODB_SLOW_MS: integer(0, 600_000).default(200),
  NATS_URL: list("addresses that begin with nats:// or tls://, by commas", /^(nats|tls):\/\/\S+$/)
    .transform(urls => urls.join(","))
    .optional(),
  QDRANT_URL: address("http", "https").optional(),
  JWT_SECRET: secret,
  SECRETS_KEY: secret,
  SECRETS_KEYS_OLD: list(
    `keys of at least ${MIN_SECRET_LENGTH} characters, by commas`,
    new RegExp(`^.{${MIN_SECRET_LENGTH},}$`),
  ).default([]),
  SERVICES: list(`names out of ${SERVICE_NAMES.join(", ")}, by commas`, new RegExp(`^(${SERVICE_NAMES.join("|")})$`))
    .transform(names => names as (typeof SERVICE_NAMES)[number][])
    .default([...SERVICE_NAMES]),
  LLM_BASE_URL: address("http", "https").optional(),
  LLM_API_KEY: text("a key").optional(),
  LLM_MODEL: text("the name of a model").optional(),
  EMBEDDINGS_BASE_URL: address("http", "https").optional(),
  EMBEDDINGS_API_KEY: text("a key").optional(),
  EMBEDDINGS_MODEL: text("the name of a model").optional(),
  RATE_LIMIT_RPS: integer(1, 1_000_000).default(100),
  RATE_LIMIT_BURST: integer(1, 1_000_000).default(200),
  RATE_LIMIT_AUTH_PER_MINUTE: integer(1, 1_000_000).default(20),
  EXECUTIONS_CONCURRENCY: integer(1, 10_000).default(64),
  EXECUTIONS_PER_WORKSPACE: integer(1, 1_000_000).default(1_000),
  SQL_CONNECTIONS: integer(1, 1_000).default(20),
  SQL_CONNECTIONS_TOTAL: integer(1, 10_000).default(100),
  WORKER_LEASE_MS: integer(500, 600_000).default(6_000),
  EXECUTIONS_RETENTION_DAYS: integer(0, 36_500).default(30),
  LIMITS: limits.prefault(""),
  AUDIT_RETENTION_DAYS: integer(1, 36_500).default(365),
  SSE_MAX_MS: integer(1_000, 86_400_000).default(600_000),
  MCP_SYNC_INTERVAL_MS: integer(1_000, 604_800_000).default(900_000),
  OUTBOUND_ALLOW: list("hosts or CIDRs, by commas", /^[^\s/]+(\/\d{1,3})?$/).default([]),
  STORE_SYNC: choice("normal", "full").default("normal"),
  LOG_LEVEL: choice("fatal", "error", "warn", "info", "debug", "trace").default("info"),
  LOG_FORMAT: choice("json", "text").optional(),
  LOG_REQUESTS: bool.default(false),
  METRICS_HOST: text("an address to listen on").default("127.0.0.1"),
  METRICS_PORT: integer(0, 65_535).default(3030),
  OTEL_EXPORTER_OTLP_ENDPOINT: address("http", "https").optional(),
  OTEL_EXPORTER_OTLP_HEADERS: list("headers such as name=value, by commas", /^[\w-]+=\S.*$/).default([]),
  OTEL_SERVICE_NAME: text("a name").default("weft"),
  OTEL_TRACES_SAMPLER: choice(
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
  ).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
});

type Parsed = z.output<typeof schema>;
type SecretName = "JWT_SECRET" | "SECRETS_KEY";
export type Config = Readonly<
  Parsed & {
    [name in SecretName]: string;
  } & {
    /** Whether SECRETS_KEY was not given, so that it is kept under DATA_DIR. */
    keepsSecretsKey: boolean;
    /** The providers that people may sign in by, from the variables `OIDC_<ID>_…`. */
    OIDC: readonly OidcProvider[];
  }
>;

export const VARIABLES = Object.keys(schema.shape) as (keyof Parsed)[];

/** The variables whose values must not appear in a message: keys, and addresses that may contain a password. */
const isSecret = (name: string) => /SECRET|KEY|URI|URL|ENDPOINT|HEADERS/.test(name);

function refuse(name: string, value: string | undefined, expected: string): never {
  const shown = value === undefined || isSecret(name) ? "" : ` ${JSON.stringify(value)}`;
  throw new ConfigError(`${name}:${shown} is not valid, expected ${expected}`);
}

/**
 * Reads and validates the environment without creating missing secrets.
 * @throws {ConfigError} when a variable is invalid.
 */
export function readEnvironment(env: NodeJS.ProcessEnv): Parsed {
  // An empty variable counts as not set, for example in a copied .env.example.
  const given = Object.fromEntries(VARIABLES.map(name => [name, env[name]?.trim() || undefined]));
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  const { path, message } = error.issues[0]!;
  const name = String(path[0]);
  return refuse(name, given[name], message);
}

const fileOf = (name: SecretName) => name.toLowerCase().replace("_", "-");

function secretOf(name: SecretName, parsed: Parsed): string {
  const given = parsed[name];
  if (given) return given;
  if (parsed.NATS_URL) {
    throw new ConfigError(`${name}: must be set when NATS_URL is, expected the same secret on every node`);
  }
  return keptSecrets(parsed.DATA_DIR, fileOf(name))[0]!;
}

/**
 * Reads and validates the environment. Creates the two secrets under DATA_DIR when they are not given.
 * @throws {ConfigError} with one line that names the variable and the expected value.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = readEnvironment(env);
  for (const kind of ["LLM", "EMBEDDINGS"] as const) {
    if (parsed[`${kind}_BASE_URL`] && !parsed[`${kind}_MODEL`]) {
      throw new ConfigError(`${kind}_MODEL: must be set when ${kind}_BASE_URL is, expected the name of a model`);
    }
    const isFolder = kind === "EMBEDDINGS" && parsed.EMBEDDINGS_MODEL?.startsWith("file:/");
    if (parsed[`${kind}_MODEL`] && !parsed[`${kind}_BASE_URL`] && !isFolder) {
      throw new ConfigError(`${kind}_BASE_URL: must be set when ${kind}_MODEL is, expected the address of its server`);
    }
  }
  if (parsed.SMTP_URL && !parsed.MAIL_FROM) {
    throw new ConfigError("MAIL_FROM: must be set when SMTP_URL is, expected the address that mails come from");
  }
  const OIDC = oidcProviders(env);
  if (parsed.SSO_ONLY && OIDC.length === 0) {
    throw new ConfigError("OIDC_<ID>_ISSUER: must be set when SSO_ONLY is, expected the address of a provider");
  }
  const secrets = { JWT_SECRET: secretOf("JWT_SECRET", parsed), SECRETS_KEY: secretOf("SECRETS_KEY", parsed) };
  return Object.freeze({ ...parsed, ...secrets, OIDC, keepsSecretsKey: !parsed.SECRETS_KEY });
}

export const SECRETS_KEY_FILE = fileOf("SECRETS_KEY");

/** The source of the sealing keys, the one to seal with first. A file is read again when a rotation changes it. */
export function sealingKeys(
  settings: Pick<Config, "DATA_DIR" | "SECRETS_KEY" | "SECRETS_KEYS_OLD" | "keepsSecretsKey"> = config(),
) {
  const { DATA_DIR, SECRETS_KEY, SECRETS_KEYS_OLD, keepsSecretsKey } = settings;
  const kept = () => (keepsSecretsKey ? keptSecrets(DATA_DIR, SECRETS_KEY_FILE) : [SECRETS_KEY]);
  return {
    read: () => [...kept(), ...SECRETS_KEYS_OLD],
    version: () => (keepsSecretsKey ? keptSecretsVersion(DATA_DIR, SECRETS_KEY_FILE) : ""),
  };
}

let loaded: Config | undefined;

/** The environment of this process, read on first use. */
export const config = (): Config => (loaded ??= loadConfig());

/** What is in effect on this node, without any secret. */
export function effectiveSettings(settings: Config = config()): ShownSetting[] {
  return [...shownSettings(VARIABLES, settings, readEnvironment({})), ...settings.OIDC.flatMap(shownProvider)];
}
