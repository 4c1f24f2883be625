import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LIMITS, loadConfig, SERVICE_NAMES, VARIABLES } from "../../config.ts";
import { ConfigError } from "../../config/values.ts";

const SECRET = "s".repeat(32);
const secrets = { JWT_SECRET: SECRET, SECRETS_KEY: SECRET };
const load = (env: NodeJS.ProcessEnv) => loadConfig({ ...secrets, ...env });

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), "weft-config-"))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function messageOf(env: NodeJS.ProcessEnv): string {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("It was accepted.");
}

describe("the configuration", () => {
  it("has a default for everything but the secrets, and cannot be changed", () => {
    const config = load({});
    expect(config).toMatchObject({ HOST: "0.0.0.0", PORT: 3000, TRUST_PROXY: false, STORE_SYNC: "normal" });
    expect(config.SERVICES).toEqual(SERVICE_NAMES);
    expect(config.MONGODB_URI).toBeUndefined();
    expect(Object.isFrozen(config)).toBe(true);
  });

  it("treats an empty variable as not set", () => {
    expect(load({ PORT: "", SERVICES: " ", MONGODB_URI: "" })).toEqual(load({}));
  });

  it("reads numbers, flags and lists", () => {
    const env = { PORT: "0", TRUST_PROXY: "true", SERVICES: "pods, gateway", OUTBOUND_ALLOW: "10.0.0.0/8,db.local" };
    expect(load(env)).toMatchObject({
      PORT: 0,
      TRUST_PROXY: true,
      SERVICES: ["pods", "gateway"],
      OUTBOUND_ALLOW: ["10.0.0.0/8", "db.local"],
    });
    expect(load({ LIMITS: "schedules=2, memories=0" }).LIMITS).toEqual({
      ...load({}).LIMITS,
      schedules: 2,
      memories: 0,
    });
    expect(load({}).LIMITS.schedules).toBe(1_000);
  });

  it.each([
    ["PORT", "70000", 'PORT: "70000" is not valid, expected an integer from 0 to 65535'],
    ["PORT", "3000x", 'PORT: "3000x" is not valid, expected an integer from 0 to 65535'],
    ["PORT", "1e3", 'PORT: "1e3" is not valid, expected an integer from 0 to 65535'],
    ["TRUST_PROXY", "yes", 'TRUST_PROXY: "yes" is not valid, expected one of true, false'],
    ["LOG_LEVEL", "loud", 'LOG_LEVEL: "loud" is not valid, expected one of fatal, error, warn, info, debug, trace'],
    [
      "SERVICES",
      "gateway,gatewya",
      `SERVICES: "gateway,gatewya" is not valid, expected names out of ${SERVICE_NAMES.join(", ")}, by commas`,
    ],
    [
      "OUTBOUND_ALLOW",
      "http://a\nb",
      'OUTBOUND_ALLOW: "http://a\\nb" is not valid, expected hosts or CIDRs, by commas',
    ],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5", 'OTEL_TRACES_SAMPLER_ARG: "1.5" is not valid, expected a number from 0 to 1'],
    [
      "LIMITS",
      "schedules=200,boats=5",
      `LIMITS: "schedules=200,boats=5" is not valid, expected limits such as schedules=200, by commas, out of ${Object.keys(LIMITS).join(", ")}`,
    ],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5", 'OTEL_TRACES_SAMPLER_ARG: "1.5" is not valid, expected a number from 0 to 1'],
    ["LLM_BASE_URL", "https://models", "LLM_MODEL: must be set when LLM_BASE_URL is, expected the name of a model"],
    ["LLM_MODEL", "big", "LLM_BASE_URL: must be set when LLM_MODEL is, expected the address of its server"],
  ])("rejects %s=%j in one line", (name, value, message) => {
    expect(messageOf({ [name]: value })).toBe(message);
  });

  it.each([
    ["JWT_SECRET", "hunter2"],
    ["MONGODB_URI", "http://u:hunter2@db"],
    ["NATS_URL", "http://u:hunter2@nats"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization:hunter2"],
  ])("does not repeat an invalid %s", (name, value) => {
    const message = messageOf({ [name]: value });
    expect(message).toContain(`${name}: is not valid, expected `);
    expect(message).not.toContain("hunter2");
  });

  it("creates the secrets once, readable by their owner only", () => {
    const first = loadConfig({ DATA_DIR: dataDir });
    expect(loadConfig({ DATA_DIR: dataDir })).toEqual(first);
    expect(first.JWT_SECRET).toMatch(/^[\w-]{43}$/);
    expect(first.SECRETS_KEY).not.toBe(first.JWT_SECRET);
    expect(readdirSync(dataDir).sort()).toEqual(["jwt-secret", "secrets-key"]);
    for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
  });

  it("reads any number of providers, and says what one lacks", () => {
    const okta = { OIDC_OKTA_ISSUER: "https://okta.example.com", OIDC_OKTA_CLIENT_ID: "weft" };
    const own = { OIDC_A1_ISSUER: "http://localhost:8080/realms/x", OIDC_A1_CLIENT_ID: "w", OIDC_A1_NAME: "Our own" };
    expect(load({ ...okta, ...own, OIDC_OKTA_CLIENT_SECRET: " ", OIDC_OTHER: "x" }).OIDC).toMatchObject([
      { id: "a1", name: "Our own" },
      { id: "okta", name: "Okta", clientSecret: undefined, register: false, linkByEmail: false },
    ]);
    expect(messageOf({ OIDC_OKTA_CLIENT_ID: "weft" })).toBe(
      "OIDC_OKTA_ISSUER: must be set when another variable of the provider is",
    );
    expect(messageOf({ ...okta, OIDC_OKTA_ISSUER: "http://okta.example.com" })).toBe(
      "OIDC_OKTA_ISSUER: is not valid, expected an address that begins with https://, or with http:// on this machine",
    );
    expect(messageOf({ ...okta, OIDC_OKTA_SCOPE: "email" })).toContain("expected scopes with openid among them");
    expect(messageOf({ SSO_ONLY: "true" })).toContain("OIDC_<ID>_ISSUER: must be set");
  });

  it("requires the secrets if there are several nodes", () => {
    const NATS_URL = "nats://localhost:4222";
    expect(messageOf({ NATS_URL, SECRETS_KEY: "" })).toBe(
      "SECRETS_KEY: must be set when NATS_URL is, expected the same secret on every node",
    );
    expect(load({ NATS_URL }).NATS_URL).toBe(NATS_URL);
  });
});

describe("the descriptions of the configuration", () => {
  it("name the same variables", () => {
    const inExample = readFileSync(".env.example", "utf8").match(/^[A-Z_]+(?==)/gm);
    expect(inExample?.sort()).toEqual([...VARIABLES].sort());
  });

  it("name no variable that is not read", () => {
    const sources = globSync("**/*.ts", {
      exclude: ["node_modules", "data", "coverage", "test", "bench", "config.ts"],
    }).map(path => readFileSync(path, "utf8"));
    expect(sources.length).toBeGreaterThan(100);
    const unread = VARIABLES.filter(name => !sources.some(source => new RegExp(`\\b${name}\\b`).test(source)));
    expect(unread).toEqual([]);
  });

  it("pass the whole .env to Docker Compose, below its own settings for containers", () => {
    const compose = readFileSync("docker-compose.yml", "utf8");
    expect(compose).toMatch(/^x-node: (?:.*\n {2})+env_file: \.env$/m);
    const decided = compose.match(/(?<=^x-environment: .*\n(?: {2}.*\n)*? {2})[A-Z_]+(?=: )/gm);
    expect(decided).toEqual(
      expect.arrayContaining(["JWT_SECRET", "HOST", "PORT", "DATA_DIR", "NATS_URL", "METRICS_HOST"]),
    );
    expect(VARIABLES).toEqual(expect.arrayContaining(decided!));
  });

  it("give a valid example that contains the defaults", () => {
    const lines = readFileSync(".env.example", "utf8").match(/^[A-Z_]+=.*$/gm) ?? [];
    const env = Object.fromEntries(lines.map(line => line.split("=", 2) as [string, string]));
    expect(loadConfig({ ...env, ...secrets })).toEqual(load({}));
  });
});
