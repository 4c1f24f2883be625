import { rm } from "node:fs/promises";
import { newWorkspace } from "../support/api.ts";
import { runCli, startCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let home: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const [server, folder] = await Promise.all([sharedServer(), temporaryFolder()]);
  home = folder;
  const { api, workspaceId } = await newWorkspace(server.url);
  env = { XDG_CONFIG_HOME: home, WEFT_WORKSPACE: workspaceId };
  // A view of one person needs a person: keys see those that are shared.
  const login = ["login", "-e", api.email, "--url", server.url];
  expect(await startCli(login, env, "correct horse battery\n").ended).toMatchObject({ code: 0 });
});
afterAll(() => rm(home, { recursive: true, force: true }));

const weft = (...args: string[]) => runCli(["views", ...args], env);
async function json(...args: string[]) {
  const { code, stdout, stderr } = await weft(...args, "--json");
  if (code !== 0) throw new Error(`weft views ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

it("saves filters as a view, lists, changes and deletes it", async () => {
  const address = "https://weft.example.com/w/shop/runs?status=failed&q=card";
  const made = await json("create", "Failed cards", "--query", address);
  expect(made).toMatchObject({ name: "Failed cards", page: "runs", query: "?status=failed&q=card", shared: false });

  const { stdout } = await weft("list");
  expect(stdout).toMatch(/Failed cards +runs +yours +\?status=failed&q=card/);
  expect(await json("list", "--page", "workflows")).toEqual([]);

  const set = await json("set", "Failed cards", "--name", "Failed", "--query", "status=failed", "--share");
  expect(set).toMatchObject({ id: made.id, name: "Failed", query: "?status=failed", shared: true });
  expect(await json("set", made.id, "--no-share")).toMatchObject({ name: "Failed", shared: false });

  const byName = await weft("delete", "Failed");
  expect(byName).toMatchObject({ code: 1, stderr: expect.stringContaining("name it by its id") });
  await json("delete", made.id);
  expect(await json("list")).toEqual([]);
});

it("reports invalid arguments", async () => {
  expect(await weft("set", "Failed")).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing to set") });
  expect(await weft("set", "Missing", "--name", "x")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no view "Missing"'),
  });
  const both = await weft("set", "Failed", "--share", "--no-share");
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("exclude each other") });
});
