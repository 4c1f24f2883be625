import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newWorkspace } from "../support/api.ts";
import { runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let env: NodeJS.ProcessEnv;
let folder: string;
const SECRET = "t0ken-from-a-file";

beforeAll(async () => {
  const server = await sharedServer();
  const { api, workspaceId } = await newWorkspace(server.url);
  const { body } = await api.post(`/v1/workspaces/${workspaceId}/api-keys`, { name: "cli", role: "editor" });
  folder = await temporaryFolder();
  env = { XDG_CONFIG_HOME: folder, WEFT_URL: server.url, WEFT_API_KEY: body.key, WEFT_WORKSPACE: workspaceId };
});

const weft = (...args: string[]) => runCli(args, env);

test("credentials are created from a file, listed, changed, tested and deleted", async () => {
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
  expect((await weft("credentials", "create", "magic", "X", "--data", "{}")).stderr).toContain(
    "There is no type magic",
  );
  expect((await weft("credentials", "types")).stdout).toMatch(/basic .*username password/);
  for (const { stdout, stderr } of [made, listed, away]) expect(stdout + stderr).not.toContain(SECRET);
});

test("variables are set, listed and removed, of the workspace and of the space", async () => {
  expect(await weft("variables", "set", "HOST", '"https://a.example"')).toMatchObject({ code: 0, stderr: "" });
  expect((await weft("variables", "set", "HOST", '"https://b.example"', "--of-space")).code).toBe(0);
  expect((await weft("variables", "list")).stdout).toContain("https://a.example");
  expect((await weft("variables", "list", "--of-space")).stdout).toContain("https://b.example");
  expect((await weft("variables", "remove", "HOST")).code).toBe(0);
  expect((await weft("variables", "list", "--json")).stdout).toContain('"values": {}');
});
