import type { BrowserContext } from "playwright-core";
import type { Role } from "../../../contracts/primitives.ts";
import { Api } from "../../support/api.ts";

const BROWSER = "/v1/auth/browser";
const PASSWORD = "correct horse battery";
let people = 0;

export interface Person {
  email: string;
  password: string;
  name: string;
  api: Api;
  workspaceId: string;
  slug: string;
  /** The path of the default space in the API. */
  space: string;
}

/** A user with a workspace. */
export async function newPerson(url: string, name = "Ada Lovelace", workspace = "Analytical Engines"): Promise<Person> {
  const email = `${name.split(" ")[0]!.toLowerCase()}-${process.pid}-${Date.now()}-${++people}@example.com`;
  const { body } = await new Api(url).post("/v1/auth/register", { email, password: PASSWORD, name });
  const api = new Api(url, body.accessToken as string);
  const made = await api.post("/v1/workspaces", { name: workspace });
  const workspaceId = made.body.id as string;
  const space = `/v1/workspaces/${workspaceId}/spaces/${workspaceId}`;
  return { email, password: PASSWORD, name, api, workspaceId, slug: made.body.slug as string, space };
}

/** Makes a person a member of another one's workspace. */
export async function join(owner: Person, member: Pick<Person, "email" | "api">, role: Role): Promise<void> {
  const { body } = await owner.api.post(`/v1/workspaces/${owner.workspaceId}/invites`, { email: member.email, role });
  const { status } = await member.api.post("/v1/invites/accept", { token: body.token as string });
  if (status >= 300) throw new Error(`Joining was answered ${status}`);
}

/** Gives a window the session of a user, as a sign-in on the page does. */
export async function enter(
  context: BrowserContext,
  url: string,
  { email, password }: Pick<Person, "email" | "password">,
) {
  const headers = { origin: url, "weft-console": "1" };
  const response = await context.request.post(`${url}${BROWSER}/login`, { headers, data: { email, password } });
  if (!response.ok()) throw new Error(`Signing in answered ${response.status()}: ${await response.text()}`);
}
