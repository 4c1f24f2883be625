import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ConfigError } from "../../config/error.ts";
import { keptSecret } from "../../config/secrets.ts";

const run = promisify(execFile);
const PROCESSES = 6;

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "weft-secret-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("a kept secret", () => {
  it("is the same for all processes that ask for it first, at the same time", async () => {
    const script = `
      const { keptSecret } = require("./config/secrets.ts");
      const go = Number(process.argv[1]);
      while (Date.now() < go);
      process.stdout.write(keptSecret(${JSON.stringify(join(dir, "data"))}, "jwt-secret"));
    `;
    // Late enough that all of them spin when it comes.
    const go = String(Date.now() + 700);
    const runs = Array.from({ length: PROCESSES }, () => run("node", ["-e", script, go]));
    const secrets = (await Promise.all(runs)).map(({ stdout }) => stdout);
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toHaveLength(43);
    expect(readdirSync(join(dir, "data"))).toEqual(["jwt-secret"]);
  });

  it("is refused when its file holds none", () => {
    writeFileSync(join(dir, "jwt-secret"), "short\n");
    expect(() => keptSecret(dir, "jwt-secret")).toThrow(ConfigError);
    expect(() => keptSecret(dir, "jwt-secret")).toThrow(/^DATA_DIR: .*jwt-secret holds no secret/);
  });

  it.each(["file/data", "absent/data"])("is refused in one line where %s cannot be a folder", path => {
    writeFileSync(join(dir, "file"), "");
    expect(() => keptSecret(join(dir, path), "jwt-secret")).toThrow(/^DATA_DIR: cannot keep .*\((ENOTDIR|ENOENT)\)/);
  });
});
