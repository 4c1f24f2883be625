// A real authorization server in its own process: `oidc-provider`, with the behaviour that tests request. Its argument
// is JSON.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { importSPKI, jwtVerify } from "jose";
import { Provider } from "oidc-provider";

interface Settings {
  redirectUri: string;
  /** The public key of the service account, in PEM. */
  publicKey?: string;
  accessTokenSeconds: number;
  /** How far its clock is slow. */
  skewSeconds?: number;
  /** The claims of each person that the userinfo endpoint returns besides `sub`. */
  claims?: Record<string, unknown>;
}

const settings = JSON.parse(process.argv[2] ?? "{}") as Settings;
const server = createServer();
server.listen(0, "127.0.0.1");
await new Promise(listening => server.once("listening", listening));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const grants = ["authorization_code", "refresh_token", "client_credentials"];
const provider = new Provider(url, {
  clients: [
    {
      client_id: "shop",
      client_secret: "client-secret-0123456789abcdef",
      redirect_uris: [settings.redirectUri],
      grant_types: grants,
      response_types: ["code"],
    },
  ],
  features: { clientCredentials: { enabled: true }, devInteractions: { enabled: true } },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: () => Promise.resolve(true),
  ttl: {
    AccessToken: settings.accessTokenSeconds,
    ClientCredentials: settings.accessTokenSeconds,
    RefreshToken: 3_600,
    Session: 3_600,
    Grant: 3_600,
    Interaction: 3_600,
  },
  scopes: ["openid", "offline_access", "orders"],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
  findAccount: (_context: unknown, accountId: string) =>
    Promise.resolve({ accountId, claims: () => Promise.resolve({ sub: accountId, ...settings.claims }) }),
});

/** The requests to the token endpoint, and what happens to the next ones. */
const seen: Record<string, string>[] = [];
let lose = 0;
let fault: { status: number; body: object } | null = null;

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

async function byAssertion(response: ServerResponse, form: URLSearchParams): Promise<void> {
  try {
    const key = await importSPKI(settings.publicKey ?? "", "RS256");
    const currentDate = new Date(Date.now() - (settings.skewSeconds ?? 0) * 1_000);
    const options = { audience: `${url}/token`, issuer: "robot", currentDate, maxTokenAge: 600 };
    const { payload } = await jwtVerify(form.get("assertion") ?? "", key, options);
    json(response, 200, {
      access_token: `for-${payload.sub}-${seen.length}-0123456789`,
      token_type: "Bearer",
      expires_in: 60,
    });
  } catch (error) {
    json(response, 400, { error: "invalid_grant", error_description: String(error) });
  }
}

const handle = provider.callback();
server.on("request", (request, response) => {
  void (async () => {
    if (request.url === "/seen") return json(response, 200, seen);
    if (request.url === "/control") {
      const wanted = JSON.parse(await textOf(request)) as { lose?: number; fault?: typeof fault };
      lose = wanted.lose ?? 0;
      fault = wanted.fault ?? null;
      return json(response, 200, {});
    }
    if (request.url !== "/token") return handle(request, response);
    const text = await textOf(request);
    const form = new URLSearchParams(text);
    seen.push(Object.fromEntries(form));
    if (fault) return json(response, fault.status, fault.body);
    if (form.get("grant_type")?.endsWith("jwt-bearer")) return byAssertion(response, form);
    if (lose-- > 0) response.end = (() => response.destroy()) as never;
    // The body was already read here, so the provider gets it parsed.
    Object.assign(request, { body: Object.fromEntries(form) });
    return handle(request, response);
  })();
});
process.stdout.write(`${url}\n`);
