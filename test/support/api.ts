/** The JSON of a response. Tests access it without types. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON; null if there is none. */
  body: Json;
}

type Headers_ = Record<string, string>;

const isClosedSocket = (error: unknown): boolean =>
  (error as { cause?: { code?: unknown } }).cause?.code === "UND_ERR_SOCKET";

/** A client of the API over HTTP, like a user's. */
export class Api {
  /** Checks every response, and throws if it is wrong. */
  static check: (method: string, path: string, answer: Answer) => Promise<void> = () => Promise.resolve();

  readonly url: string;
  readonly token: string;

  constructor(url: string, token = "") {
    this.url = url;
    this.token = token;
  }

  as(token: string): Api {
    return new Api(this.url, token);
  }

  /** The same caller, at another node. */
  at(url: string): Api {
    return new Api(url, this.token);
  }

  async request(method: string, path: string, body?: unknown, headers: Headers_ = {}): Promise<Answer> {
    const send = () =>
      fetch(this.url + path, {
        method,
        headers: {
          ...(this.token && { authorization: `Bearer ${this.token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(70_000),
      });
    const response = await send().catch((error: unknown) => {
      // The connection belonged to a process that was killed meanwhile. Its successor at the same address does not know
      // it.
      if (method === "GET" && isClosedSocket(error)) return send();
      throw error;
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    const { status } = response;
    const answer: Answer = { status, headers: response.headers, body: text && isJson ? JSON.parse(text) : null };
    await Api.check(method, response.url, answer);
    return answer;
  }

  get = (path: string, headers?: Headers_) => this.request("GET", path, undefined, headers);
  post = (path: string, body?: unknown, headers?: Headers_) => this.request("POST", path, body, headers);
  patch = (path: string, body?: unknown, headers?: Headers_) => this.request("PATCH", path, body, headers);
  delete = (path: string, headers?: Headers_) => this.request("DELETE", path, undefined, headers);
}

let people = 0;

/** Registers a new user. */
export async function register(url: string): Promise<Api & { userId: string; email: string }> {
  const email = `person-${process.pid}-${Date.now()}-${++people}@example.com`;
  const { status, body } = await new Api(url).post("/v1/auth/register", { email, password: "correct horse battery" });
  if (status !== 201) throw new Error(`Registering answered ${status}: ${JSON.stringify(body)}`);
  return Object.assign(new Api(url, body.accessToken as string), { userId: body.user.id as string, email });
}

/** A new user with a workspace. `space` is the path of the workspace's default space. */
export async function newWorkspace(url: string) {
  const api = await register(url);
  const workspaceId = await made(api, "/v1/workspaces", { name: "A workspace" });
  return { api, workspaceId, space: `/v1/workspaces/${workspaceId}/spaces/${workspaceId}` };
}

/** Creates a resource and returns its id. */
export async function made(api: Api, path: string, given: unknown): Promise<string> {
  const { status, body } = await api.post(path, given);
  if (status !== 201 && status !== 202) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body.id as string;
}

/** Stores a definition as a workflow and returns its id. */
export const newWorkflow = (api: Api, space: string, definition: unknown): Promise<string> =>
  made(api, `${space}/workflows`, { name: "A workflow", definition });

/** Runs a workflow and waits for its end. */
export async function runToEnd(api: Api, space: string, definition: unknown, input: unknown = null): Promise<Json> {
  const workflowId = await newWorkflow(api, space, definition);
  const { status, body } = await api.post(`${space}/executions`, { workflowId, input }, { prefer: "wait=30" });
  if (status !== 201) throw new Error(`Starting answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
