import childProcess, { type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { compileTemplates, createExpressions } from "../../adapters/expressions/index.ts";
import { createSandbox, type Sandbox } from "../../adapters/sandbox/index.ts";

const TIMEOUT_MS = 400;
const evaluate = (using: ReturnType<typeof createExpressions>, text: string) =>
  using.resolve(compileTemplates(text), { input: 1, steps: {} });

// Elsewhere no file tells how much processor time a process has had.
const onLinux = existsSync(`/proc/${process.pid}/stat`) ? test : test.skip;

onLinux("an expression is not ended for the time in which its process has no processor", async () => {
  const fork = jest.spyOn(childProcess, "fork");
  const one = createExpressions({ processes: 1, timeoutMs: TIMEOUT_MS });
  try {
    expect(await evaluate(one, "{{ [1..3] }}")).toEqual([1, 2, 3]);
    const child = fork.mock.results[0]?.value as ChildProcess;
    child.kill("SIGSTOP");
    const value = evaluate(one, "{{ [1..4] }}");
    // It is the passing of time that is tested.
    await sleep(2 * TIMEOUT_MS);
    child.kill("SIGCONT");
    expect(await value).toEqual([1, 2, 3, 4]);
    expect(fork).toHaveBeenCalledTimes(1);
  } finally {
    fork.mockRestore();
    await one.close();
  }
});

onLinux("one that never gets a processor is ended all the same", async () => {
  const fork = jest.spyOn(childProcess, "fork");
  const one = createExpressions({ processes: 1, timeoutMs: 50 });
  try {
    expect(await evaluate(one, "{{ [1..3] }}")).toEqual([1, 2, 3]);
    (fork.mock.results[0]?.value as ChildProcess).kill("SIGSTOP");
    await expect(evaluate(one, "{{ [1..4] }}")).rejects.toMatchObject({ code: "expression_timeout" });
  } finally {
    fork.mockRestore();
    await one.close();
  }
});

describe("code", () => {
  let fork: jest.SpyInstance;
  let one: Sandbox;
  const run = (code: string, timeoutMs: number, signal?: AbortSignal) =>
    one.run({ code, globals: { input: 1, steps: {} }, timeoutMs, group: "w", ...(signal && { signal }) });
  const pause = () => (fork.mock.results[0]?.value as ChildProcess).kill("SIGSTOP");
  const goOn = () => (fork.mock.results[0]?.value as ChildProcess).kill("SIGCONT");

  beforeEach(async () => {
    fork = jest.spyOn(childProcess, "fork");
    one = createSandbox({ processes: 1 });
    expect((await run("return 1", 5_000)).output).toBe(1);
  });
  afterEach(async () => {
    fork.mockRestore();
    await one.close();
  });

  onLinux("is not ended for the time in which its process has no processor", async () => {
    // Half a second of counting, which the pause falls into.
    const counting = run("const end = Date.now() + 500; let n = 0; while (Date.now() < end) n++; return n > 0", 2_000);
    await sleep(100);
    pause();
    // Longer than the limit and the time that the pool adds to it.
    await sleep(3_000);
    goOn();
    expect(await counting).toMatchObject({ output: true });
    expect(fork).toHaveBeenCalledTimes(1);
  });

  onLinux("that never gets a processor is ended all the same", async () => {
    pause();
    await expect(run("return 2", 50)).rejects.toMatchObject({ code: "code_timeout" });
  });

  onLinux("that has no processor ends with its signal", async () => {
    pause();
    const abort = new AbortController();
    const running = run("return 2", 60_000, abort.signal);
    abort.abort(new Error("cancelled"));
    await expect(running).rejects.toThrow("cancelled");
  });
});
