import { existsSync, globSync, readFileSync } from "node:fs";
import { section as partOf } from "../support/markdown.ts";
import { SERVICE_NAMES } from "../../config.ts";

const text = (file: string) => readFileSync(file, "utf8");
const compose = text("docker-compose.yml");
/** The indented lines below a key of the first two levels. */
const section = (start: RegExp) => new RegExp(`${start.source}\n((?: {2,}.*\n|\n)+)`, "m").exec(compose)?.[1] ?? "";

describe("the image", () => {
  it("contains everything that the service loads, and neither tests nor tools", () => {
    const allowed: string[] = text(".dockerignore").match(/(?<=^!).+$/gm) ?? [];
    const loaded = globSync(
      "{adapters,cli,config,contracts,core,middlewares,service-kit,sdk,services,telemetry}/**/*.ts",
    )
      .concat("config.ts", "broker-options.ts", "moleculer.config.ts")
      .flatMap(file => {
        const depth = file.split("/").length - 1;
        const outward = new RegExp(`from "(?:\\.\\./){${depth}}([\\w-]+(?:\\.ts)?)|from "\\./(config\\.ts)"`, "g");
        return depth === 0
          ? [...text(file).matchAll(/from "\.\/([\w-]+)\//g)].map(([, room]) => room!)
          : [...text(file).matchAll(outward)].map(([, room, own]) => room ?? own!);
      });
    expect([...new Set(loaded)].filter(room => !allowed.includes(room))).toEqual([]);
    expect(allowed).toEqual(expect.arrayContaining(["telemetry", "services", "templates", "package-lock.json"]));
    expect(allowed.filter(name => !existsSync(name))).toEqual([]);
    expect(allowed.filter(name => /^(test|bench|data|\.env|\.git|node_modules|\*)/.test(name))).toEqual([]);
  });

  it("runs as an unprivileged user, on a pinned version of Node, without development dependencies", () => {
    const dockerfile = text("Dockerfile");
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile.lastIndexOf("USER")).toBeGreaterThan(dockerfile.lastIndexOf("RUN"));
    expect(dockerfile).toContain("npm ci --omit=dev");
    for (const [, image] of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(image).toMatch(/^node:24-/);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
    // npx writes into a home that is read-only there.
    expect(dockerfile).toContain(
      `ln -s /app/${(JSON.parse(text("package.json")) as { bin: { weft: string } }).bin.weft} `,
    );
  });

  it("starts as npm does, except for the .env file and npm's own variables", () => {
    const { scripts } = JSON.parse(text("package.json")) as { scripts: { start: string } };
    const started = (JSON.parse(/^CMD (.*)$/m.exec(text("Dockerfile"))?.[1] ?? "[]") as string[]).join(" ");
    const [variable, arenas] = /(MALLOC_ARENA_MAX)=\$\{\1-(\d+)\} /.exec(scripts.start)!.slice(1);
    expect(text("Dockerfile")).toMatch(new RegExp(`^ENV .*\\b${variable}=${arenas}$`, "m"));
    const ofNpm = [" --import ./config/env-file.ts", /^NODE_COMPILE_CACHE=\S+ /, /^MALLOC_ARENA_MAX=\S+ /];
    const start = ofNpm.reduce<string>((text, part) => text.replace(part, ""), scripts.start.replaceAll('"', ""));
    expect(`exec ${started}`).toBe(start);
  });
});

describe("the compose file", () => {
  it("gives nodes no privileges, writable space only for their data, and a time limit to stop", () => {
    const node = section(/^x-node: &node/);
    for (const line of ["init: true", "read_only: true", "cap_drop: [ALL]", "networks: [outside, inside]"])
      expect(node).toContain(`  ${line}\n`);
    expect(node).toContain('security_opt: ["no-new-privileges:true"]');
    expect(node).toMatch(/^ {2}pids_limit: \d+$/m);
    expect(compose).not.toMatch(/privileged|docker\.sock|network_mode|cap_add/);
  });

  it("runs every service on one kind of node", () => {
    const started = [...compose.matchAll(/^ {6}SERVICES: (\S+)$/gm)].flatMap(([, names = ""]) => names.split(","));
    expect(started.toSorted()).toEqual(SERVICE_NAMES.toSorted());
  });

  it("has servers that require credentials, publish no port, and are pinned to a version", () => {
    const environment = section(/^x-environment: &environment/);
    expect(environment).toMatch(/mongodb:\/\/weft:\$\{MONGO_PASSWORD:\?.*\}@mongo/);
    expect(environment).toMatch(/nats:\/\/weft:\$\{NATS_PASSWORD:\?.*\}@nats/);
    expect(environment).toMatch(/http:\/\/:\$\{QDRANT_API_KEY:\?.*\}@qdrant/);
    for (const server of ["mongo", "nats", "qdrant"]) {
      const own = new RegExp(`^ {2}${server}:\n((?: {4,}.*\n|\n)+)`, "m").exec(compose)?.[1] ?? "";
      expect(own).toContain("networks: [inside]");
      expect(own).toMatch(/PASSWORD|API_KEY/);
      expect(own).not.toMatch(/^ {4}ports:/m);
      expect(own).toMatch(/^ {4}image: \S+:v?\d+\.\d+/m);
    }
    expect(compose).toMatch(/^ {2}inside:\n {4}internal: true$/m);
  });
});

describe("the compose file's other parts", () => {
  it("match the documented commands, and are reachable only from this machine", () => {
    for (const [, profile] of text("docs/operations.md").matchAll(/docker compose --profile (\w+) up/g))
      expect(compose).toContain(`profiles: [${profile}]`);
    for (const name of ["prometheus", "grafana"]) {
      const own = new RegExp(`^ {2}${name}:\n((?: {4,}.*\n|\n)+)`, "m").exec(compose)?.[1] ?? "";
      // They ask the nodes and each other, and a port is published by a network that is not internal.
      expect(own).toContain("networks: [outside, inside]");
      expect(own).toMatch(/ports: \["127\.0\.0\.1:/);
    }
  });

  it("build the image once, keep data in named volumes, and declare no unused volume", () => {
    expect(compose.match(/^ +build:/gm)).toHaveLength(1);
    const used = [...compose.matchAll(/["\s]([a-z]+):\/[a-z]/g)].map(([, volume]) => volume);
    const named = [...section(/^volumes:/).matchAll(/^ {2}(\w+):/gm)].map(([, volume]) => volume);
    expect(named.sort()).toEqual([...new Set(used)].sort());
  });
});

describe("the workflow of the public CI", () => {
  it("has read-only permissions and limits, and pins its actions", () => {
    const workflow = text(".github/workflows/ci.yml");
    expect(workflow).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    const jobs = workflow.match(/^ {2}(?=\w+:\n {4})/gm)!;
    expect(workflow.match(/timeout-minutes:/g)).toHaveLength(workflow.match(/runs-on:/g)!.length);
    expect(jobs.length).toBeGreaterThan(0);
    for (const [, action] of workflow.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/^actions\/[\w-]+@v\d+$/);
    for (const [, script] of workflow.matchAll(/run: (scripts\/\S+)/g)) expect(existsSync(script!)).toBe(true);
    for (const [, script] of workflow.matchAll(/npm run ([\w:]+)/g))
      expect((JSON.parse(text("package.json")) as { scripts: object }).scripts).toHaveProperty([script!]);
  });
});

describe("SECURITY.md", () => {
  const page = text("SECURITY.md");

  it("names only suites that exist, and at least one for each attack", () => {
    const named = [...page.matchAll(/`(test\/[\w./-]+)`/g)].map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(file => !existsSync(file))).toEqual([]);
    const attacks = partOf(page, "## Attacks, defences and tests").split(/^- /m).slice(1);
    expect(attacks.length).toBeGreaterThan(30);
    expect(attacks.filter(attack => !attack.includes("`test/"))).toEqual([]);
  });

  it("covers every kind of attacker", () => {
    const headings = page.match(/(?<=^### ).+$/gm)!.join("\n");
    for (const somebody of ["stranger", "tenant", "author of a workflow", "tool server", "operator"])
      expect(headings).toContain(somebody);
  });
});
