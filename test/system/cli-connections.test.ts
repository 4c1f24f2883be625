import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { runCli, startCli } from "../support/cli.ts";
import { definition, gives } from "../support/definition.ts";
import { authorizeCredential, startRotatingTokens } from "../support/rotating-tokens.ts";
import { temporaryFolder } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let env: NodeJS.ProcessEnv;
let folder: string;
let owner: Api;
let space: string;
const SECRET = "t0ken-from-a-file";

beforeAll(async () => {
  const server = await sharedServer();
  const { api, workspaceId, space: own } = await newWorkspace(server.url);
  space = own;
  const { body } = await api.post(`/v1/workspaces/${workspaceId}/api-keys`, { name: "cli", role: "editor" });
  owner = api;
  folder = await temporaryFolder();
  env = { XDG_CONFIG_HOME: folder, WEFT_URL: server.url, WEFT_API_KEY: body.key, WEFT_WORKSPACE: workspaceId };
});

const weft = (...args: string[]) => runCli(args, env);

test("creates credentials from a file, lists, changes, tests and deletes them", async () => {
  const path = join(folder, "token.json");
  await writeFile(path, JSON.stringify({ token: SECRET }));
  const made = await weft(
    "credentials",
    "create",
    "bearer",
    "Shop",
    "--hosts",
    "api.example.com",
    "--data",
    `@${path}`,
  );
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const listed = await weft("credentials", "list");
  expect(listed.stdout).toMatch(/Shop +bearer +ready +api\.example\.com/);
  expect((await weft("credentials", "update", "Shop", "--name", "Shop 2")).stdout).toContain("Changed Shop 2.");
  expect(await weft("credentials", "test", "Shop 2")).toMatchObject({ code: 0 });
  const away = await weft("credentials", "test", "Shop 2", "--to", "https://other.example.com");
  expect(away).toMatchObject({ code: 1, stdout: expect.stringContaining("may not be sent") as string });
  expect((await weft("credentials", "delete", "Shop 2")).code).toBe(0);
  expect((await weft("credentials", "create", "magic", "X")).stderr).toContain("There is no type magic");
  expect((await weft("credentials", "types")).stdout).toMatch(/basic .*username password/);
  const inline = await weft("credentials", "create", "bearer", "X", "--data", `{"token":"${SECRET}"}`);
  expect(inline).toMatchObject({ code: 2, stderr: expect.stringContaining("--data takes @<file>") as string });
  expect(await weft("credentials", "create", "bearer", "X")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--data is missing") as string,
  });
  for (const { stdout, stderr } of [made, listed, away, inline]) expect(stdout + stderr).not.toContain(SECRET);
});

test("reads the values of a credential from standard input", async () => {
  const args = ["credentials", "create", "bearer", "Piped", "--hosts", "api.example.com", "--data", "-"];
  const { code, stderr } = await startCli(args, env, JSON.stringify({ token: SECRET })).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { stdout } = await weft("credentials", "show", "Piped");
  expect(stdout).toMatch(/status +ready/);
  expect(stdout).not.toContain(SECRET);
  expect((await weft("credentials", "show", "Piped", "--json")).json()).toMatchObject({ name: "Piped", usedBy: [] });
});

test("opens the authorization page of a credential, and waits until the person has authorized it", async () => {
  const tokens = await startRotatingTokens();
  try {
    const path = join(folder, "oauth.json");
    const data = { tokenUrl: `${tokens.url}/token`, authorizeUrl: `${tokens.url}/authorize`, clientId: "shop" };
    await writeFile(path, JSON.stringify(data));
    const made = await weft(
      "credentials",
      "create",
      "oauth2_code",
      "Calendar",
      "--hosts",
      "a.example",
      "--data",
      `@${path}`,
    );
    const id = made.stdout.trim();
    expect((await weft("credentials", "authorize", "Calendar", "--no-wait")).stdout).toContain(
      "Calendar is needs_authorization.",
    );
    const waiting = startCli(["credentials", "authorize", "Calendar", "--json"], env);
    await waiting.printed(`${env.WEFT_URL}/w/${env.WEFT_WORKSPACE}/settings/credentials?id=${id}`);
    await authorizeCredential(owner, `/v1/workspaces/${env.WEFT_WORKSPACE}`, id);
    const { code, stdout } = await waiting.ended;
    expect({ code, status: (JSON.parse(stdout) as { status: string }).status }).toEqual({ code: 0, status: "ready" });
    expect((await weft("credentials", "authorize", "Calendar")).stdout).toBe("Calendar is ready.\n");
    expect((await weft("credentials", "authorize", "Piped")).stderr).toContain("This one has the type bearer");
  } finally {
    await tokens.close();
  }
});

test("variables are set, listed and removed, of the workspace and of the space", async () => {
  expect(await weft("variables", "set", "HOST", '"https://a.example"')).toMatchObject({ code: 0, stderr: "" });
  expect((await weft("variables", "set", "HOST", '"https://b.example"', "--of-space")).code).toBe(0);
  expect((await weft("variables", "list")).stdout).toContain("https://a.example");
  expect((await weft("variables", "list", "--of-space")).stdout).toContain("https://b.example");
  expect((await weft("variables", "get", "HOST")).stdout).toBe('"https://a.example"\n');
  expect((await weft("variables", "get", "NONE")).stderr).toContain('There is no variable "NONE".');
  expect((await weft("variables", "remove", "HOST")).code).toBe(0);
  expect((await weft("variables", "list", "--json")).stdout).toContain('"values": {}');
});

test("uploads files of this machine as members of a run's input", async () => {
  const photo = join(folder, "a;b=c.png");
  await writeFile(photo, "PNG");
  await writeFile(join(folder, "page.txt"), "1");
  const workflowId = await newWorkflow(owner, space, definition([gives("all", "{{ input }}")]));
  const run = (...args: string[]) => weft("run", workflowId, "--wait", "--json", ...args);
  const page = `page=${join(folder, "page.txt")}`;
  const made = await run(
    "--input",
    '{"order":7}',
    "--file",
    `photo=${photo};type=image/png`,
    "--file",
    page,
    "--file",
    page,
  );
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(made.stdout)).toMatchObject({
    output: {
      order: 7,
      photo: { $file: { name: "a;b=c.png", type: "image/png", size: 3 } },
      page: [{ $file: { name: "page.txt" } }, { $file: { name: "page.txt" } }],
    },
  });
  expect(await run("--file", "photo=/nowhere")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("ENOENT") as string,
  });
  expect(await run("--file", "photo")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("name=path") as string,
  });
});
