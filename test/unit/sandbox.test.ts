import { createSandbox, type CodeResult, SandboxError } from "../../adapters/sandbox/index.ts";
import { checkCode } from "../../core/code/check-code.ts";
import { type CodeGlobals, globalsText } from "../../core/code/globals-text.ts";

// One process, so that what one run leaves behind would meet the next.
const sandbox = createSandbox({ processes: 1 });
afterAll(() => sandbox.close());

const GLOBALS: CodeGlobals = { input: { a: 1, list: [1, 2] }, steps: { "node-1": { body: { id: 7 } } } };
const run = (code: string, given: Partial<CodeGlobals> = {}, timeoutMs = 5_000): Promise<CodeResult> =>
  sandbox.run({ code, globals: { ...GLOBALS, ...given }, timeoutMs, group: "w" });
const output = async (code: string, given?: Partial<CodeGlobals>) => (await run(code, given)).output;
const failure = async (result: Promise<CodeResult>): Promise<SandboxError> => {
  const error: unknown = await result.then(
    ({ output }) => new Error(`expected an error, got ${JSON.stringify(output)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof SandboxError) return error;
  throw error;
};
const logged = (message: string, level = "info") => ({ level, message });

describe("values", () => {
  test.each<[string, unknown]>([
    ["return 1.5", 1.5],
    ["return 'é😀 漢'", "é😀 漢"],
    ["return false", false],
    ["return null", null],
    ["", null],
    ["return", null],
    ["return [1, [], {}, undefined]", [1, [], {}, null]],
    ["return {a: {b: 'c'}, gone: undefined}", { a: { b: "c" } }],
    [
      "return {at: new Date(0), error: new TypeError('x')}",
      { at: "1970-01-01T00:00:00.000Z", error: { name: "TypeError", message: "x" } },
    ],
    ["return 1 // a comment", 1],
    ["return [typeof Date.now(), Math.random() < 1]", ["number", true]],
  ])("%s", async (code, expected) => expect(await output(code)).toEqual(expected));

  test("are copied before the code receives them", async () => {
    const given = { input: { text: "a\0\u2028\ud800", list: [1] }, item: { b: 2 }, index: 3 };
    const code = "input.list.push(2); return [input, steps['node-1'].body.id, item, index]";
    expect(await output(code, given)).toEqual([{ text: "a\0\u2028\ud800", list: [1, 2] }, 7, { b: 2 }, 3]);
    expect(given.input.list).toEqual([1]);
    expect(await output("return [typeof item, typeof index]")).toEqual(["undefined", "undefined"]);
    expect(await output("return [arguments.length, arguments[0].a]")).toEqual([4, 1]);
  });

  test("may be awaited", async () => {
    expect(await output("const a = await Promise.all([1, Promise.resolve(2)]); return a")).toEqual([1, 2]);
    expect(await output("return Promise.resolve().then(() => 'late')")).toBe("late");
    expect(await output("Promise.reject(new Error('nobody looks at')); return 1")).toBe(1);
  });

  test("are passed on only if the code can reach them", () => {
    expect(globalsText("return input.a", GLOBALS)).toBe('{"input":{"a":1,"list":[1,2]}}');
    expect(JSON.parse(globalsText("return eval('x')", { ...GLOBALS, index: 0 }))).toEqual({ ...GLOBALS, index: 0 });
    const large = { input: "x".repeat(5_000_000), steps: {} };
    expect(globalsText("return 1", large)).toBe("{}");
    expect(() => globalsText("return input", large)).toThrow(/larger than 4 MiB/);
  });
});

describe("is collected", () => {
  test("is collected", async () => {
    const code = "console.log('a', {b: 1}, undefined, 5n, new TypeError('t')); console.warn(1); console.error('é\\0')";
    const { logs } = await run(code);
    expect(logs).toEqual([logged('a {"b":1} undefined 5 TypeError: t'), logged("1", "warn"), logged("é\0", "error")]);
  });

  test("is bounded", async () => {
    const { logs } = await run("for (let i = 0; i < 200; i++) console.info(i, 'x'.repeat(5000))");
    expect(logs).toHaveLength(101);
    expect(logs[0]!.message).toHaveLength(2_000);
    expect(logs[100]).toEqual(logged("More was logged: only the first 100 lines are kept.", "warn"));
  });

  test("is returned with an error too", async () => {
    expect((await failure(run("console.log('before');\nthrow new Error('x')"))).logs).toEqual([logged("before")]);
  });
});

describe("errors", () => {
  test.each<[string, string, number?]>([
    ["const a = 1;\nconst b = ;", "SyntaxError: unexpected token in expression: ';' (line 2)", 2],
    ["if (input) {", "SyntaxError: unexpected token in expression: ')' (line 1)", 1],
    ["\n\nmissing()", "ReferenceError: 'missing' is not defined (line 3)", 3],
    ["await 0;\nthrow new RangeError('mine')", "RangeError: mine (line 2)", 2],
    ["const f = () => {\n JSON.parse('{')\n};\nf()", "SyntaxError: expecting property name (line 2)", 2],
    ["throw {status: 5}", 'The code threw {"status":5}'],
    ["throw null", "The code threw null"],
    ["return Promise.reject('no')", "The code threw no"],
    ["return () => 1", "The output is a function: call it, so that it gives a value."],
    ["return {a: 0 / 0}", 'The output holds, as "a", a number that is not finite: look for a division by zero.'],
    ["return {a: Promise.resolve()}", 'The output holds, as "a", a promise: await it.'],
    ["return [5n]", 'The output holds, as "0", a BigInt: turn it into a number or a string.'],
    ["return new Map([[1, 2]])", "The output is a Map: use Object.fromEntries."],
    ["const a = []; a.push(a); return a", "TypeError: circular reference"],
    ["let a = 1; for (let i = 0; i < 150; i++) a = [a]; return a", "The output is nested more than 100 levels deep."],
    ["const f = n => 1 + f(n + 1); return f(0)", "The code calls itself, or nests its data, too deeply."],
    ["return eval('('.repeat(1e5))", "The code calls itself, or nests its data, too deeply."],
    [
      "await new Promise(() => {})",
      "The code waits for a promise that never settles: there is nothing outside that could settle it.",
    ],
    ["throw new Proxy(new Error('p'), {get() { throw 1 }})", "The code threw (a value that cannot be shown)"],
  ])("%s", async (...[code, message, line]: [string, string, number?]) => {
    expect(await failure(run(code))).toMatchObject({ code: "code_error", message, line });
  });

  test("include an output that is too large", async () => {
    expect((await failure(run("return 'x'.repeat(400000)"))).code).toBe("output_too_large");
    expect((await run("return 'x'.repeat(260000)")).output).toHaveLength(260_000);
  });

  test("include code that is too long, and input that is too large", async () => {
    expect((await failure(run(`//${"x".repeat(65_536)}`))).message).toBe("The code is longer than 64 KiB.");
    expect((await failure(run("return input", { input: "x".repeat(5_000_000) }))).message).toMatch(/4 MiB/);
  });
});

describe("bounds", () => {
  test.each([
    ["a loop", "for (;;);"],
    ["a loop that catches", "for (;;) { try { for (;;); } catch {} finally { continue } }"],
    ["promises", "const f = async () => { for (;;) await 0 }; await f()"],
    ["backtracking", "return /^(a+)+$/.test('a'.repeat(40) + '!')"],
    ["an output that writes itself", "return {toJSON() { for (;;); }}"],
    ["an error that shows itself", "throw new (class extends Error { get message() { for (;;); } })"],
  ])("end an endless %s in code_timeout, with its log", async (_, code) => {
    const error = await failure(run(`console.log('before'); ${code}`, {}, 50));
    expect(error).toMatchObject({ code: "code_timeout", logs: [logged("before")] });
    expect(error.message).toBe("The code took longer than 50 ms: look for an endless loop.");
    expect(await output("return input.a")).toBe(1);
  });

  test("end the process of code that QuickJS cannot interrupt", async () => {
    expect((await failure(run("return new Array(4294967295).indexOf(5)", {}, 50))).code).toBe("code_timeout");
    expect(await output("return input.a")).toBe(1);
  });

  test.each([
    ["arrays", "const a = []; for (;;) a.push(new Array(1000).fill(0))"],
    ["what others hold", "globalThis.a = []; for (;;) a.push({})"],
    ["one buffer", "return new Uint8Array(1 << 28).length"],
  ])("limit memory: %s", async (_, code) => {
    expect(await failure(run(code))).toMatchObject({ code: "code_memory", message: expect.stringMatching(/64 MiB/) });
    expect(await output("return input.a")).toBe(1);
  });

  test("keep one workspace from blocking the processes for others", async () => {
    const two = createSandbox({ processes: 2 });
    const over: string[] = [];
    const start = (code: string, group: string) =>
      two.run({ code, globals: GLOBALS, timeoutMs: 20_000, group }).then(
        () => over.push(group),
        (error: SandboxError) => over.push(`${group} ${error.message}`),
      );
    const endless = [start("for (;;);", "a"), start("for (;;);", "a")];
    await Promise.all(["b", "c", "b"].map(group => start("return 1", group)));
    await two.close();
    await Promise.all(endless);
    expect(over.slice(0, 3).toSorted()).toEqual(["b", "b", "c"]);
    expect(over.slice(3)).toEqual(Array(2).fill("a The service is stopping."));
  });

  test("limit the queue, and reject a caller that waits for too long", async () => {
    const one = createSandbox({ processes: 1, maxQueue: 4, maxWaitMs: 50 });
    const start = () => failure(one.run({ code: "for (;;);", globals: GLOBALS, timeoutMs: 5_000, group: "a" }));
    const all = [start(), start()];
    expect((await Promise.all(all.slice(1))).map(error => error.code)).toEqual(["code_busy"]);
    await one.close();
    expect((await all[0]!).code).toBe("code_busy");
    expect((await start()).message).toBe("The service is stopping.");
  });

  test("end running and waiting code on a signal", async () => {
    const stop = new AbortController();
    const start = () =>
      sandbox.run({ code: "for (;;);", globals: GLOBALS, timeoutMs: 9_000, group: "w", signal: stop.signal });
    const ended = Promise.allSettled([start(), start()]);
    stop.abort(new Error("cancelled"));
    expect((await ended).map(one => one.status === "rejected" && String(one.reason))).toEqual(
      Array(2).fill("Error: cancelled"),
    );
    await expect(start()).rejects.toThrow("cancelled");
    expect(await output("return input.a")).toBe(1);
  });
});

describe("the isolation of code", () => {
  test("keeps code from reaching the host", async () => {
    const names = "process require module fetch setTimeout WebAssembly Worker Atomics Deno std os print log";
    const code = `const make = globalThis.constructor.constructor;
      return ${JSON.stringify(names.split(" "))}.filter(name =>
        typeof globalThis[name] !== 'undefined' || make('return typeof ' + name)() !== 'undefined')`;
    expect(await output(code)).toEqual([]);
    expect((await failure(run("return import('node:fs')"))).message).toMatch(/could not load module/);
    const hosts = "return console.log.constructor('return this')() === globalThis";
    expect(await output(hosts)).toBe(true);
  });

  test("shares nothing between runs", async () => {
    const mark = `globalThis.mark = 1; Object.prototype.mark = 1; Array.prototype.push = () => 'mine';
      JSON.stringify = () => '"taken over"'; console.log = null; Math.random = null;`;
    expect(await output(`${mark} return {}.mark`)).toBe(1);
    const look = "const a = []; a.push(1); console.log(a); return [typeof mark, {}.mark ?? null, a, JSON.stringify(1)]";
    expect(await output(look)).toEqual(["undefined", null, [1], "1"]);
  });

  test("treats keys that name a prototype as plain keys", async () => {
    const input: unknown = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 2}}}');
    const code = "return {input, inside: [{}.polluted ?? null, input.polluted ?? null, Object.keys(input)]}";
    const given = (await output(code, { input })) as { input: object; inside: unknown };
    expect(given.inside).toEqual([null, null, ["__proto__", "constructor"]]);
    expect(JSON.stringify(given.input)).toBe(JSON.stringify(input));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(given.input)).toBe(Object.getPrototypeOf(JSON.parse("{}")));
  });
});

describe("the check of code", () => {
  test.each<[string, string | null]>([
    ["", null],
    ["const { a } = input;\nreturn await a // end", null],
    ["const a = 1;\nconst b = ;", "The code cannot be read: Unexpected token ';' (line 2)."],
    ["if (a) {\n f(\n}", "The code cannot be read: Unexpected token '}' (line 3)."],
    ["return {", "The code cannot be read: Unexpected token ')' (line 1)."],
    ["let input = 1", "The code cannot be read: Identifier 'input' has already been declared (line 1)."],
    ["return 1 }); (() => {", "The code closes a bracket that it did not open."],
  ])("%j gives %j", (code, expected) => expect(checkCode(code)).toBe(expected));

  test("is limited, and runs nothing", () => {
    expect(checkCode("(".repeat(60_000))).toBe("The code is nested too deeply.");
    expect(checkCode("x".repeat(65_537))).toBe("The code is longer than 64 KiB.");
    expect(checkCode("globalThis.ran = true; throw 1")).toBeNull();
    expect(globalThis).not.toHaveProperty("ran");
  });
});
