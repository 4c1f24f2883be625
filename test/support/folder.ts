import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Api, type Json, newWorkspace } from "./api.ts";
import { runCli } from "./cli.ts";
import { temporaryFolder } from "./server.ts";
import { sharedServer } from "./shared.ts";

/** A person with a folder, and the command line for one space. */
export interface Person {
  folder: string;
  env: NodeJS.ProcessEnv;
  /** A key is a path in the folder without the extension. */
  fileOf: (key: string) => string;
  read: (key: string) => Json;
  write: (key: string, content: unknown) => void;
  weft: (...args: string[]) => ReturnType<typeof runCli>;
  /** Runs a command that must succeed. Returns the lines about changes, without the details of the differences. */
  ok: (...args: string[]) => Promise<string[]>;
}

export function personIn(folder: string, env: NodeJS.ProcessEnv): Person {
  const fileOf = (key: string) => join(folder, `${key}.json`);
  const weft = (...args: string[]) => runCli([...args.slice(0, 1), folder, ...args.slice(1)], env);
  return {
    ...{ folder, env, fileOf, weft },
    read: key => JSON.parse(readFileSync(fileOf(key), "utf8")),
    write(key, content) {
      mkdirSync(dirname(fileOf(key)), { recursive: true });
      writeFileSync(fileOf(key), typeof content === "string" ? content : JSON.stringify(content));
    },
    async ok(...args) {
      const { code, stdout, stderr } = await weft(...args);
      if (code !== 0) throw new Error(`weft ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
      return stdout.split("\n").filter(line => line !== "" && !line.startsWith(" "));
    },
  };
}

export interface FolderStage {
  api: Api;
  url: string;
  home: string;
  workspaceId: string;
  /** The path of the space. */
  space: string;
  person: (name: string, more?: NodeJS.ProcessEnv) => Person;
  remove: () => void;
}

/** A workspace, and folders for the people who work on it. */
export async function openFolderStage(): Promise<FolderStage> {
  const [{ url }, home] = await Promise.all([sharedServer(), temporaryFolder()]);
  const { api, space, workspaceId } = await newWorkspace(url);
  const { body } = await api.post(`/v1/workspaces/${workspaceId}/api-keys`, { name: "ci", role: "admin" });
  const key = String(body.key);
  const env = { XDG_CONFIG_HOME: home, WEFT_URL: url, WEFT_API_KEY: key, WEFT_WORKSPACE: workspaceId };
  const person = (name: string, more: NodeJS.ProcessEnv = {}) => personIn(join(home, name), { ...env, ...more });
  return { api, url, home, workspaceId, space, person, remove: () => rmSync(home, { recursive: true, force: true }) };
}
