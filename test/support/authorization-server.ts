import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

interface Settings {
  redirectUri: string;
  publicKey?: string;
  accessTokenSeconds?: number;
  skewSeconds?: number;
  claims?: Record<string, unknown>;
}

/** A real authorization server in its own process. */
export interface AuthorizationServer {
  url: string;
  /** The requests to its token endpoint, oldest first. */
  seen(): Promise<Record<string, string>[]>;
  /** `lose`: the number of responses that get lost. `fault`: the response to every request for a token. */
  control(wanted: { lose?: number; fault?: { status: number; body: object } }): Promise<void>;
  close(): Promise<void>;
}

export async function startAuthorizationServer(settings: Settings): Promise<AuthorizationServer> {
  const given = JSON.stringify({ accessTokenSeconds: 600, ...settings });
  const child: ChildProcess = spawn("node", ["test/support/authorization-server-process.ts", given], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const url = line.toString().trim();
  return {
    url,
    seen: async () => (await (await fetch(`${url}/seen`)).json()) as Record<string, string>[],
    control: async wanted => {
      await (await fetch(`${url}/control`, { method: "POST", body: JSON.stringify(wanted) })).json();
    },
    async close() {
      child.kill();
      await once(child, "exit");
    },
  };
}

/** A browser. It stores cookies by origin, follows redirects within an origin, and fills in the server's own forms. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Stores a cookie for an origin, like a response to a script of its page. */
  keep(origin: string, setCookie: string): void {
    const [pair = ""] = setCookie.split(";");
    const at = pair.indexOf("=");
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar.set(pair.slice(0, at), pair.slice(at + 1)));
  }

  async open(address: string, form?: Record<string, string>): Promise<Response> {
    const { origin } = new URL(address);
    const cookie = [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address, {
      redirect: "manual",
      headers: { cookie },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) this.keep(origin, line);
    return response;
  }

  /** Signs in at the authorization server and consents. Returns the address of the redirect. */
  async authorize(address: string, stopAt: string): Promise<string> {
    let next = address;
    for (let hops = 0; hops < 20; hops++) {
      if (next.startsWith(stopAt)) return next;
      const page = await this.open(next);
      const location = page.headers.get("location");
      if (location !== null) {
        next = new URL(location, next).href;
        continue;
      }
      const html = await page.text();
      const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1];
      if (action === undefined || prompt === undefined) throw new Error(`No form at ${next}: ${html.slice(0, 2_000)}`);
      const sent = await this.open(new URL(action, next).href, { prompt, login: "ada", password: "any" });
      next = new URL(sent.headers.get("location") ?? "", next).href;
    }
    throw new Error("The authorization does not end.");
  }
}
