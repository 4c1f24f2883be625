import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { main } from "../../cli/main.ts";
import type { Json } from "./api.ts";
import { HANG_MS } from "./hang.ts";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** Waits until it has printed this to standard output or standard error. */
  printed: (text: string) => Promise<void>;
}

/** Starts a command in its own process, like `npx weft`. With `null`, standard input stays open. */
export function startCli(args: string[], env: NodeJS.ProcessEnv, stdin: string | null = "", cwd = "."): Running {
  const { PATH } = process.env;
  const child = spawn("node", [resolve("cli", "weft.js"), ...args], { cwd, env: { PATH, ...env }, timeout: HANG_MS });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (printed.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed.stderr += chunk.toString()));
  child.stdin.on("error", () => undefined);
  if (stdin !== null) child.stdin.end(stdin);
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...printed }));
  return {
    process: child,
    ended,
    async printed(text) {
      while (!(printed.stdout + printed.stderr).includes(text)) {
        const more = [child.stdout, child.stderr].map(output => once(output, "data").then(() => undefined));
        const over = await Promise.race([...more, ended]);
        if (over) throw new Error(`It ended without ${JSON.stringify(text)}:\n${over.stdout}${over.stderr}`);
      }
    },
  };
}

/**
 * Runs a command in this process, one at a time. A dozen processes would take longer than all tests of the commands.
 */
export async function runCli(args: string[], env: NodeJS.ProcessEnv): Promise<Ended & { json: () => Json }> {
  const printed = { stdout: "", stderr: "" };
  const [stdout, stderr] = (["stdout", "stderr"] as const).map(name =>
    jest.spyOn(process[name], "write").mockImplementation(text => {
      printed[name] += String(text);
      return true;
    }),
  );
  const before = process.env;
  process.env = { ...env, NO_COLOR: "1" };
  try {
    const code = await main(args, "0.0.0");
    return { code, ...printed, json: () => JSON.parse(printed.stdout) };
  } finally {
    process.env = before;
    stdout?.mockRestore();
    stderr?.mockRestore();
  }
}
