import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Api } from "../support/api.ts";
import { runCli, startCli } from "../support/cli.ts";
import { untilEvent } from "../support/follow.ts";
import { definition, gives, node } from "../support/definition.ts";
import { type Server, temporaryFolder } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery";
const ASKS = definition(
  [node("ask", "human", { prompt: "Release it?" }), gives("said", "{{ steps.ask.data.note & ' ' & input.service }}")],
  "ask > said",
);

let server: Server;
/** Of a user who has signed in and works in a workspace. */
let home: string;
let env: NodeJS.ProcessEnv;

const configIn = (folder: string) => join(folder, "weft", "config.json");
const readConfig = async () => JSON.parse(await readFile(configIn(home), "utf8"));
const fileWith = async (name: string, content: unknown) => {
  const path = join(home, name);
  await writeFile(path, JSON.stringify(content));
  return path;
};

/** Runs a command that has to work and gives what it printed. */
async function weft(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, env);
  if (code !== 0) throw new Error(`weft ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}
const json = async (...args: string[]) => JSON.parse(await weft(...args, "--json"));

beforeAll(async () => {
  [server, home] = await Promise.all([sharedServer(), temporaryFolder()]);
  env = { XDG_CONFIG_HOME: home };
  const registered = await startCli(["register", "--email", EMAIL, "--url", server.url], env, PASSWORD).ended;
  if (registered.code !== 0) throw new Error(registered.stderr);
  await weft("workspaces", "create", "Looms");
  await weft("import", await fileWith("Release.json", ASKS));
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

it("stores the session in a file that only its owner can read, and removes it on logout", async () => {
  const other = { HOME: join(home, "other") };
  const { stdout } = await startCli(["login", "-e", EMAIL, "--url", server.url], other, `${PASSWORD}\n`).ended;
  expect(stdout).toBe(`Signed in at ${server.url} as ${EMAIL}.\n`);
  const folder = join(home, "other", ".config");
  expect((await stat(configIn(folder))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "weft"))).mode & 0o777).toBe(0o700);
  const { accessToken } = JSON.parse(await readFile(configIn(folder), "utf8")).services[server.url].session;
  const there = { XDG_CONFIG_HOME: folder };
  expect((await runCli(["whoami"], there)).stdout).toBe(`${EMAIL} at ${server.url}\n`);
  expect((await runCli(["logout"], there)).code).toBe(0);
  expect(await readFile(configIn(folder), "utf8")).not.toContain(accessToken);
  expect((await new Api(server.url, accessToken).get("/v1/auth/me")).status).toBe(401);
});

it.each([
  [["weave"], 'There is no command "weave".'],
  [["run"], "weft run needs <workflow>"],
  [["run", "a", "b"], 'weft run takes no "b"'],
  [["run", "Release", "--input", "{"], "--input is not valid JSON"],
  [["run", "Release", "--speed", "9"], "Unknown option '--speed'"],
  [["workflows", "list", "--limit", "0"], "--limit takes a number or all"],
  [["login", "--password=x"], "Do not pass secrets on the command line"],
  [["whoami", "--url", "ftp://x"], '"ftp://x" is not the URL of a service'],
  [[], "Usage: weft <command>"],
])("exits with 2 for the invalid arguments %j", async (args, message) => {
  const { code, stdout, stderr } = await runCli(args, env);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
});

it("prints help for every command", async () => {
  const all = await weft("--help");
  const names = [...all.matchAll(/^ {2}([a-z]+(?: [a-z-]+)?) .* {2}/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(await weft(...name.split(" "), "--help")).toContain(`Usage: weft ${name}`);
  expect(await weft("executions", "--help")).toContain("approve <id>");
});

it("reports errors with the id of their request, and an unreachable server", async () => {
  const refused = await runCli(["executions", "get", "none"], env);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^weft: No such resource\.\n {2}\(not_found, 404, request [0-9a-f-]{36}\)\n$/);
  const nowhere = { WEFT_URL: "http://127.0.0.1:2", XDG_CONFIG_HOME: home };
  const unreachable = await runCli(["whoami"], { ...nowhere, WEFT_API_KEY: "wfk_x" });
  expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining("127.0.0.1:2 cannot be reached") });
  // What one service gave is not shown to another.
  const elsewhere = await runCli(["whoami"], nowhere);
  expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining("You are not signed in at") });
});

it("runs a workflow, shows its steps live, and sends an answer", async () => {
  const input = await fileWith("input.json", { service: "Weft" });
  const watching = startCli(["run", "Release", "--watch", "--input", `@${input}`], env);
  await watching.printed('Waits for an answer at "ask".');
  const [run] = await json("executions", "list", "--status", "suspended");
  expect(run.suspension.prompt).toBe("Release it?");
  const approved = await weft("approve", run.id, "--node", "ask", "--data", '{"note":"Go"}');
  expect(approved).toMatch(new RegExp(`^${run.id} {2}\\w+\n$`));
  const { code, stdout, stderr } = await watching.ended;
  expect([code, stdout]).toEqual([0, '"Go Weft"\n']);
  expect(stderr).toMatch(/Step "ask" completed.*Step "said" completed.*The run completed\./s);
  expect(stderr).not.toContain("\u001b");
  const followed = await weft("executions", "logs", run.id, "--follow");
  expect(followed.trim().split("\n")).toHaveLength((await json("logs", run.id)).length);
  expect(await weft("executions", "steps", run.id, "--status", "completed")).toMatch(/^ask +human +completed /m);
  expect(await json("executions", "steps", run.id, "--under", "ask:0")).toEqual([]);
  expect(await weft("executions", "output", run.id, "said")).toBe('"Go Weft"\n');
  expect(await weft("executions", "search", run.id, "WEFT")).toMatch(
    /^input of the run +\/service +Weft[^]*^said +output /m,
  );
  expect(await weft("executions", "compare", run.id, run.id)).toBe("");
});

it("exits with 1 when a run fails, and with 0 when its retry completes", async () => {
  const failing = startCli(["run", "Release", "--wait", "-i", "-"], env, '{"service":"Weft"}');
  await failing.printed("weft approve ");
  const [run] = await json("executions", "list", "--limit", "1", "--sort", "newest");
  await weft("cancel", run.id);
  const { code, stderr } = await failing.ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining(`The run ${run.id} was cancelled.`)]);
  expect((await json("executions", "list", "--limit", "1", "--sort", "last-ended"))[0].id).toBe(run.id);
  const again = await json("retry", run.id);
  const { workspaceId, session } = (await readConfig()).services[server.url];
  const space = `/v1/workspaces/${workspaceId}/spaces/${workspaceId}`;
  await untilEvent(new Api(server.url, session.accessToken), `${space}/executions/${again.id}`, "execution.suspended");
  const answered = await json("respond", again.id, "--node", "ask", "--data", '{"note":"Again"}', "--wait");
  expect(answered).toMatchObject({ id: again.id, status: "completed", output: "Again Weft" });
});

it("copies a workflow unchanged to another server, and reports first what would fail", async () => {
  const file = join(home, "exported.json");
  await weft("export", "Release", "--output", file);
  const exported = await readFile(file, "utf8");
  const { id } = await json("import", file, "--name", "Copy");
  expect(await json("workflows", "export", id)).toEqual({ ...JSON.parse(exported), name: "Copy" });
  expect(await weft("validate", id)).toBe("The workflow is valid.\n");
  expect(await weft("validate", file)).toBe("The workflow is valid.\n");
  const broken = await fileWith("broken.json", definition([node("a", "no such type")]));
  const { code, stdout } = await runCli(["validate", broken], env);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^a {2}\/nodes\/0\/type: /)]);
});

it("stores a file as the next version of a workflow, shows the differences, and deploys it", async () => {
  const { id } = await json("import", await fileWith("v1.json", definition([gives("a", 1)])), "--name", "Versioned");
  const next = await fileWith("v2.json", definition([gives("a", 2), gives("b", 1)], "a > b"));
  expect(await json("import", next, "--into", "Versioned")).toMatchObject({ id, name: "Versioned", version: 2 });
  const lines = ["+ step b (transform)", "~ step a /data/value  1 → 2", "+ edge a > b"];
  expect(await weft("diff", id)).toBe(`${lines.join("\n")}\n`);
  expect(await json("diff", id, "2", "1")).toMatchObject({ from: 2, to: 1, nodes: { removed: [{ id: "b" }] } });
  expect(await json("deploy", id, "-m", "Now")).toMatchObject({ deployedVersion: 2 });
  expect(await weft("diff", id)).toBe("Versions 2 and 2 are equal.\n");
  expect(await weft("versions", id)).toMatch(/^2 +deployed/m);
  expect(await json("versions", id)).toMatchObject([{ version: 2 }, { version: 1 }]);
  expect(await json("deploy", id, "--version", "1")).toMatchObject({ deployedVersion: 1, version: 2 });
});

it("validates a file without a server or a login, by the rules of the service", async () => {
  const none = { XDG_CONFIG_HOME: join(home, "nowhere"), WEFT_URL: "http://127.0.0.1:1" };
  const what = { ...definition([node("a/b", "transform", { value: "{{ steps.typo }}", more: 1 })]), unknown: 1 };
  const faulty = await fileWith("faulty.json", what);
  const local = await runCli(["validate", faulty, "--json"], none);
  const { workspaceId, spaceId, session } = (await readConfig()).services[server.url];
  const api = new Api(server.url, session.accessToken);
  const document = { format: "weft-workflow", version: 1, name: "faulty", description: "", definition: what };
  const spaces = `/v1/workspaces/${workspaceId}/spaces`;
  const space = spaceId ?? (await api.get(spaces)).body[0].id;
  const { body } = await api.post(`${spaces}/${space}/workflows/validate`, document);
  expect(body.faults).toHaveLength(2);
  expect([local.code, local.stderr, JSON.parse(local.stdout)]).toEqual([1, "", { valid: false, faults: body.faults }]);
  const plain = await runCli(["validate", faulty], none);
  expect(plain.stdout).toContain("a/b  /nodes/0/data/more: ");
  const good = await runCli(["validate", await fileWith("good.json", ASKS)], none);
  expect([good.code, good.stdout, good.stderr]).toEqual([0, "The workflow is valid.\n", ""]);
  const strange = await runCli(["validate", await fileWith("strange.json", { a: 1 })], none);
  expect([strange.code, strange.stdout]).toEqual([1, ""]);
  expect(strange.stderr).toContain("is no workflow that can be imported");
});

it("imports a file into a knowledge base, and reports the result", async () => {
  const { workspaceId, session } = (await readConfig()).services[server.url];
  await new Api(server.url, session.accessToken).post(`/v1/workspaces/${workspaceId}/knowledge-bases`, {
    name: "Rules",
  });
  const file = join(home, "house rules.md");
  await writeFile(file, "# Rules\n\nNo shoes.");
  expect(await weft("knowledge", "import", "Rules", file)).toBe("house rules.md: completed, 1 entries\n");
  expect(await weft("knowledge", "list")).toMatch(/^ID +NAME +ENTRIES\n\S+ +Rules +1\n$/);
  await writeFile(file, "");
  const { code, stderr } = await runCli(["knowledge", "import", "Rules", file], env);
  expect([code, stderr]).toEqual([1, expect.stringContaining("The file is empty")]);
  expect((await runCli(["knowledge", "import", "Laws", file], env)).stderr).toContain('no knowledge base "Laws"');
});

it.each([
  [["workflows", "list"], "workflows"],
  [["executions", "list"], "runs"],
  [["schedules", "list"], "schedules"],
  [["webhooks", "list"], "webhooks"],
])("says of an empty space which other spaces have workflows, and how many it searched: %j", async (command, what) => {
  const { session } = (await readConfig()).services[server.url];
  const api = new Api(server.url, session.accessToken);
  const other = (await api.post("/v1/workspaces", { name: "Crowded" })).body.id as string;
  const base = `/v1/workspaces/${other}`;
  const { body: pod } = await api.post(`${base}/pods`, { name: "Pod" });
  const told = async () => (await runCli([...command, "--workspace", other, "--space", pod.id as string], env)).stderr;
  expect(await told()).toBe(`There are no ${what} yet.\n`);
  const workflow = { name: "w", definition: definition([gives("a", 1)]) };
  const { body: made } = await api.post(`${base}/spaces/${other}/workflows`, workflow);
  const given = { workflowId: made.id, cronExpr: "0 0 1 1 *" };
  for (const [path, body] of [
    ["executions", { workflowId: made.id }],
    ["schedules", given],
    ["webhooks", { workflowId: made.id }],
  ] as const) {
    expect((await api.post(`${base}/spaces/${other}/${path}`, body)).status).toBe(201);
  }
  expect(await told()).toBe(`This space has no ${what}. These have:\n  Default  (--space ${other})\n`);
  // The default space is the oldest, so it comes last.
  for (let left = 20; left > 0; left--) await api.post(`${base}/spaces`, { name: "More", podId: pod.id });
  const more = "There are more spaces, which were not asked.";
  expect(await told()).toBe(`Neither this space nor 20 others have ${what}. ${more}\n`);
});

it("names the spaces with workflows when a space is empty", async () => {
  const { workspaceId, session } = (await readConfig()).services[server.url];
  const { body } = await new Api(server.url, session.accessToken).post(`/v1/workspaces/${workspaceId}/pods`, {
    name: "Unused",
  });
  const { code, stdout, stderr } = await runCli(["workflows", "list", "--space", body.id as string], env);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ID +NAME .*\n$/)]);
  expect(stderr).toMatch(/^This space has no workflows\. These have:\n {2}.+ {2}\(--space [0-9a-f-]{36}\)\n$/);
});

it("uses an API key from the environment, in its workspace", async () => {
  const { workspaceId, session } = (await readConfig()).services[server.url];
  const api = new Api(server.url, session.accessToken);
  const { body } = await api.post(`/v1/workspaces/${workspaceId}/api-keys`, { name: "CI", role: "viewer" });
  const ci = { XDG_CONFIG_HOME: join(home, "none"), WEFT_URL: server.url, WEFT_API_KEY: body.key as string };
  expect((await runCli(["workflows", "list"], ci)).stdout).toMatch(/^ID +NAME .*\n.*Release/s);
  const { code, stderr } = await runCli(["run", "Release"], ci);
  expect([code, stderr]).toEqual([1, expect.stringContaining("role_too_low")]);
});

it("renews a session once for concurrent commands", async () => {
  const old = await readConfig();
  old.services[server.url].session.expiresAt = new Date(0).toISOString();
  await writeFile(configIn(home), JSON.stringify(old));
  const both = await Promise.all([1, 2].map(() => startCli(["whoami"], env).ended));
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const { session } = (await readConfig()).services[server.url];
  expect(session.refreshToken).not.toBe(old.services[server.url].session.refreshToken);
  expect(await weft("whoami")).toContain(EMAIL);
});
