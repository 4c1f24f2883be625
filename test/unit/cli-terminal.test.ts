import { PassThrough } from "node:stream";
import { Meter } from "../../cli/meter.ts";
import { Progress } from "../../cli/progress.ts";
import { askSecret } from "../../cli/read-input.ts";
import { duration, jsonText, table, withoutControls } from "../../cli/terminal.ts";
import type { LogEntry } from "../../sdk/index.ts";

const ESC = "\u001b";

/** What a terminal shows in the end of what was written to it; it knows of "up" and "clear to the end". */
function screen(written: string): string[] {
  const lines: string[] = [""];
  let row = 0;
  const parts = written.split(new RegExp(`(${ESC}\\[\\d*[A-Za-z]|\\n)`));
  for (const part of parts) {
    if (part === "\n") lines[++row] ??= "";
    else if (part.endsWith("A") && part.startsWith(ESC)) row -= parseInt(part.slice(2));
    else if (part === `${ESC}[J`) lines.splice(row, Infinity, "");
    else if (!part.startsWith(ESC)) lines[row] = (lines[row] ?? "") + part;
  }
  return lines.filter(line => line !== "");
}

let seq = 0;
const entry = (event: LogEntry["event"], more: Partial<LogEntry> = {}): LogEntry => ({
  seq: ++seq,
  executionId: "e",
  nodeId: "step",
  nodeType: "transform",
  attempt: 1,
  event,
  level: "info",
  message: "",
  at: "2026-01-01T00:00:00.000Z",
  ...more,
});

function progressOn(terminal: { isTTY: boolean; rows?: number }) {
  const stream = Object.assign(new PassThrough(), { columns: 60, rows: 24, ...terminal });
  const progress = new Progress(stream as unknown as NodeJS.WriteStream);
  const written = () => (stream.read() as Buffer | null)?.toString() ?? "";
  return { progress, written };
}

describe("the progress of a run", () => {
  beforeEach(() => jest.useFakeTimers({ now: Date.parse("2026-01-01T00:00:02.500Z") }));
  afterEach(() => jest.useRealTimers());

  it("is updated in place in a terminal, with a line for each step and item", () => {
    const { progress, written } = progressOn({ isTTY: true });
    progress.entry(entry("execution.started", { nodeId: null }));
    progress.entry(entry("step.started", { nodeId: "a" }));
    progress.entry(entry("step.completed", { nodeId: "a", durationMs: 12.3 }));
    progress.entry(entry("step.started", { nodeId: "b" }));
    progress.entry(entry("step.retrying", { nodeId: "b", error: { code: "x", message: "No answer." } }));
    progress.entry(
      entry("step.failed", { nodeId: "c", durationMs: 61_000, error: { code: "x", message: "Bad\u001b[2J." } }),
    );
    progress.entry(entry("step.skipped", { nodeId: "d" }));
    progress.entry(entry("step.log", { nodeId: "ask", path: [{ nodeId: "each", index: 1 }], message: "Yes?" }));
    progress.entry(entry("execution.suspended", { nodeId: "ask", path: [{ nodeId: "each", index: 1 }] }));
    progress.end();
    expect(screen(written())).toEqual([
      "✓ a  12 ms",
      "↻ b  2.5 s  No answer.",
      "✗ c  1 min 1 s  Bad [2J.",
      expect.stringMatching(/^– d\s*$/),
      "? each[1] › ask  2.5 s  Yes?",
    ]);
  });

  it("fits on the screen", () => {
    const { progress, written } = progressOn({ isTTY: true, rows: 5 });
    for (let step = 1; step <= 9; step++)
      progress.entry(entry("step.started", { nodeId: `s${step}`, message: "x".repeat(200) }));
    progress.end();
    const lines = screen(written());
    expect(lines.map(line => line.slice(0, 22))).toEqual([
      "  and 6 steps before",
      "… s7  2.5 s",
      "… s8  2.5 s",
      "… s9  2.5 s",
    ]);
  });

  it("fits into the width of the screen, even with the longest names", () => {
    const { progress, written } = progressOn({ isTTY: true });
    progress.entry(entry("step.failed", { nodeId: "n".repeat(200), message: "x".repeat(200), durationMs: 61_000 }));
    progress.end();
    const lines = screen(written());
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^✗ n+ {2}1 min 1 s/);
    expect(lines[0]?.length).toBeLessThan(60);
  });

  it("is a line for each event if there is no terminal", () => {
    const { progress, written } = progressOn({ isTTY: false });
    progress.entry(entry("step.failed", { message: "It failed.", error: { code: "x", message: "Why\u0007." } }));
    progress.end();
    expect(written()).toBe("00:00:00.000 It failed. Why .\n");
  });
});

it("escapes control characters in other people's texts", () => {
  expect(withoutControls("a\u001b[31mb\r\n\u009bc")).toBe("a [31mb   c");
  const value = { text: "\u001b]0;title\u0007\u009b" };
  expect(jsonText(value)).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(JSON.parse(jsonText(value))).toEqual(value);
});

it("has aligned columns, and durations in readable units", () => {
  expect(
    table(
      ["A", "LONG"],
      [
        ["wide", "x"],
        ["", "y"],
      ],
    ),
  ).toBe("A     LONG\nwide  x\n      y");
  expect([0.4, 999, 1_500, 59_949, 60_000, 3_900_000].map(duration)).toEqual([
    "0 ms",
    "999 ms",
    "1.5 s",
    "59.9 s",
    "1 min 0 s",
    "1 h 5 min",
  ]);
});

describe("a secret that is asked for", () => {
  const real = process.stdin;
  const raw: boolean[] = [];
  let terminal: PassThrough;
  let shown: string;

  beforeEach(() => {
    raw.length = 0;
    shown = "";
    terminal = new PassThrough();
    const setRawMode = (on: boolean) => {
      raw.push(on);
      return terminal;
    };
    Object.defineProperty(process, "stdin", {
      value: Object.assign(terminal, { isTTY: true, setRawMode }),
      configurable: true,
    });
    jest.spyOn(process.stderr, "write").mockImplementation(text => {
      shown += String(text);
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    Object.defineProperty(process, "stdin", { value: real, configurable: true });
  });

  it("is not shown while it is typed", async () => {
    const secret = askSecret("Password: ");
    terminal.write("hunterx");
    terminal.write("\u007f2\r");
    expect(await secret).toBe("hunter2");
    expect([shown, raw]).toEqual(["Password: \n", [true, false]]);
  });

  it("can be declined", async () => {
    const secret = askSecret("Password: ");
    terminal.write("hunt\u0003");
    await expect(secret).rejects.toThrow("Nothing was changed.");
  });
});

describe("the progress of long work", () => {
  const shown = (isTTY: boolean, work: (meter: Meter) => void): string => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    work(new Meter(stream as unknown as NodeJS.WriteStream));
    return (stream.read() as Buffer | null)?.toString() ?? "";
  };
  const [clear, start] = [`${ESC}[K`, "\r"];

  it("is one line for each part in a terminal, and later output is below it", () => {
    const text = shown(true, ({ step }) => {
      for (const done of [0, 5, 10, 10]) step("Copying", done, 10, "documents");
      step("Counting", 0, 0, "bytes");
    });
    expect(text).toBe(
      `${start}Copying: 0 of 10 documents${clear}${start}Copying: 10 of 10 documents${clear}\n${start}Counting: 0 bytes of 0 bytes${clear}\n`,
    );
  });

  it("leaves a line if it was interrupted", () => {
    const cut = (meter: Meter) => {
      meter.step("Copying", 1, 10, "documents");
      meter.end();
    };
    expect(shown(true, cut)).toBe(`${start}Copying: 1 of 10 documents${clear}\n`);
    expect(shown(false, cut)).toBe("Copying: 1 of 10 documents\n");
  });
});
