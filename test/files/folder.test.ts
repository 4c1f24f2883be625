import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderStore } from "../../adapters/files/folder-store.ts";
import { describeObjects } from "./conformance.ts";

const root = mkdtempSync(join(tmpdir(), "weft-files-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const pathOf = (id: string) => globSync(`**/${id}`, { cwd: root }).map(path => join(root, path))[0]!;

describeObjects(
  "the folder of files",
  () => Promise.resolve(new FolderStore(root)),
  name => {
    const path = pathOf(name.split("/")[1]!);
    return Promise.resolve({
      read: () => Promise.resolve(readFileSync(path)),
      write: (bytes: Buffer) => Promise.resolve(writeFileSync(path, bytes)),
    });
  },
);

describe("a folder whose process is killed during a write", () => {
  const name = "workspace/0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeee01";

  it("holds no partial object, and the next start removes the leftovers", async () => {
    const script = `
      import { FolderStore } from "./adapters/files/folder-store.ts";
      async function* slow() {
        for (let i = 0; ; i++) {
          yield Buffer.alloc(65536);
          if (i === 20) process.send("half");
          if (i > 20) await new Promise(() => setTimeout(() => {}, 1e6));
        }
      }
      await new FolderStore(process.env.ROOT).put("${name}", slow());`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, ROOT: root },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    await once(child, "message");
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = new FolderStore(root);
    await expect(store.get(name)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "file_missing" });
    const left = () => globSync(".incoming/*", { cwd: root });
    expect(left()).toHaveLength(1);
    await store.remove(name);
    expect(left()).toEqual([]);
  });

  it("is readable by its owner only", () => {
    const modes = globSync("**/*-*", { cwd: root }).map(path => statSync(join(root, path)).mode & 0o077);
    expect(modes.length).toBeGreaterThan(0);
    expect(new Set(modes)).toEqual(new Set([0]));
  });
});

it("reports a folder that cannot be used", async () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  await expect(new FolderStore(join(file, "below")).ping()).rejects.toMatchObject({ code: "files_unavailable" });
});
