import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { runCli } from "../support/cli.ts";
import { definition, gives } from "../support/definition.ts";
import { temporaryFolder } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { SENDERS } from "../support/webhook-senders.ts";
import { send } from "../support/webhooks.ts";

let api: Api;
let home: string;
let env: NodeJS.ProcessEnv;
let workflowId: string;

beforeAll(async () => {
  const [server, folder] = await Promise.all([sharedServer(), temporaryFolder()]);
  home = folder;
  const made = await newWorkspace(server.url);
  api = made.api;
  workflowId = await newWorkflow(api, made.space, definition([gives("said", "{{ input.n }}")]));
  const { body } = await api.post(`/v1/workspaces/${made.workspaceId}/api-keys`, { name: "CLI", role: "admin" });
  env = { XDG_CONFIG_HOME: home, WEFT_URL: server.url, WEFT_API_KEY: body.key as string };
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function weft(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(["webhooks", ...args], env);
  if (code !== 0) throw new Error(`weft webhooks ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}
const json = async (...args: string[]) => JSON.parse(await weft(...args, "--json"));

it("creates, changes, tests and deletes a webhook", async () => {
  const made = await json(
    "create",
    workflowId,
    "--name",
    "Orders",
    "--respond",
    "at_end:5000",
    "--methods",
    "post,put",
  );
  expect(made).toMatchObject({
    ...{ workflowId, name: "Orders", methods: ["POST", "PUT"] },
    respond: { mode: "at_end", timeoutMs: 5_000, otherwise: 202 },
  });
  const tried = JSON.parse(await weft("test", "Orders", "--input", '{"n":7}'));
  expect(tried).toMatchObject({ status: 200, body: "7" });
  const url = `${api.url}/v1/webhooks/${made.id}/trigger`;
  expect((await send(url, '{"n":1}', { "x-webhook-secret": made.secret })).text).toBe("1");

  const key = join(home, "key");
  await writeFile(key, "a secret that GitHub was given\n");
  const set = await weft("set", "Orders", "--auth", "github", "--given-secret", key, "--respond", "empty:200");
  expect(set).toMatch(/auth\s+\{"type":"hmac","preset":"github"\}/);
  expect(set).not.toContain("a secret that");
  const body = Buffer.from('{"n":2}');
  const signed = SENDERS.github("a secret that GitHub was given", body);
  expect((await send(url, body, signed)).status).toBe(200);

  const rotated = await json("rotate", "Orders");
  expect((await send(url, body, SENDERS.github(rotated.secret as string, body))).status).toBe(200);
  expect(await weft("list")).toMatch(/Orders\s+http\S+\s+github/);
  await weft("set", "Orders", "--disable");
  expect(await weft("list")).toMatch(/Orders\s+http\S+\s+disabled/);
  expect(await weft("deliveries", "Orders")).toMatch(/AT\s+ADDRESS\s+METHOD\s+STATUS\s+RUN\s+REASON/);
  await weft("delete", made.id as string);
  expect(await json("list")).toEqual([]);
});

it.each([
  [["set", "x"], "There is nothing to set"],
  [["set", "x", "--secret", "in-the-arguments"], "Do not pass secrets"],
  [["set", "x", "--enable", "--disable"], "exclude each other"],
  [["create", "x", "--respond", "empty:many"], "<mode>:<number>"],
])("says what is wrong with %j", async (args, message) => {
  const { code, stderr } = await runCli(["webhooks", ...args], env);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message) as string]);
});
