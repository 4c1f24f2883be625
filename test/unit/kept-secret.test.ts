import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ConfigError } from "../../config/values.ts";
import { keptSecrets, keptSecretsVersion, replaceKeptSecrets } from "../../config/secrets.ts";

const run = promisify(execFile);
const PROCESSES = 6;

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "weft-secret-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("a kept secret", () => {
  it("is the same for all processes that ask for it first, at the same time", async () => {
    const script = `
      const { keptSecrets } = require("./config/secrets.ts");
      const go = Number(process.argv[1]);
      while (Date.now() < go);
      process.stdout.write(...keptSecrets(${JSON.stringify(join(dir, "data"))}, "jwt-secret"));
    `;
    // Late enough that all of them spin when it comes.
    const go = String(Date.now() + 700);
    const runs = Array.from({ length: PROCESSES }, () => run("node", ["-e", script, go]));
    const secrets = (await Promise.all(runs)).map(({ stdout }) => stdout);
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toHaveLength(43);
    expect(readdirSync(join(dir, "data"))).toEqual(["jwt-secret"]);
  });

  it("is rejected if its file is empty", () => {
    writeFileSync(join(dir, "jwt-secret"), "short\n");
    expect(() => keptSecrets(dir, "jwt-secret")).toThrow(ConfigError);
    expect(() => keptSecrets(dir, "jwt-secret")).toThrow(/^DATA_DIR: .*jwt-secret holds no secret/);
  });

  it.each(["file/data", "absent/data"])("is rejected in one line if %s cannot be a folder", path => {
    writeFileSync(join(dir, "file"), "");
    expect(() => keptSecrets(join(dir, path), "jwt-secret")).toThrow(/^DATA_DIR: cannot keep .*\((ENOTDIR|ENOENT)\)/);
  });

  it("is replaced atomically, and reports that it was", () => {
    const [first = ""] = keptSecrets(dir, "secrets-key");
    const before = keptSecretsVersion(dir, "secrets-key");
    const next = "n".repeat(43);
    replaceKeptSecrets(dir, "secrets-key", [next, first]);
    expect(keptSecrets(dir, "secrets-key")).toEqual([next, first]);
    expect(keptSecretsVersion(dir, "secrets-key")).not.toBe(before);
    expect(readdirSync(dir)).toEqual(["secrets-key"]);
    expect(statSync(join(dir, "secrets-key")).mode & 0o777).toBe(0o600);
    writeFileSync(join(dir, "secrets-key"), `${next}\nshort\n`);
    expect(() => keptSecrets(dir, "secrets-key")).toThrow(/holds no secret/);
  });
});
