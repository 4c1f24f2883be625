import type { LogEntry } from "../sdk/index.ts";
import { duration, paint, withoutControls } from "./terminal.ts";

const REDRAW_MS = 200;

type State = "running" | "waiting" | "retrying" | "completed" | "failed" | "skipped";

interface Step {
  label: string;
  state: State;
  startedAt: number;
  /** In milliseconds, for a finished step. */
  took?: number | undefined;
  note: string;
}

const LOOKS = {
  running: ["…", "cyan"],
  waiting: ["?", "yellow"],
  retrying: ["↻", "yellow"],
  completed: ["✓", "green"],
  failed: ["✗", "red"],
  skipped: ["–", "dim"],
} as const satisfies Record<State, readonly [string, string]>;

const DONE: ReadonlySet<State> = new Set(["completed", "failed", "skipped"]);

const STATES: Readonly<Partial<Record<LogEntry["event"], State>>> = {
  "step.started": "running",
  "step.completed": "completed",
  "step.failed": "failed",
  "step.retrying": "retrying",
  "step.skipped": "skipped",
  "execution.suspended": "waiting",
};

/** The label of a step: its name and its map items. */
export const stepLabel = ({ nodeId, path = [] }: LogEntry): string =>
  withoutControls([...path.map(part => `${part.nodeId}[${part.index}]`), nodeId ?? ""].join(" › "));

const LEVEL_STYLE = { info: "reset", warn: "yellow", error: "red" } as const;

/** One entry of a log as one line. */
export function entryLine(entry: LogEntry, stream: NodeJS.WritableStream): string {
  const { at, level, message, error, path = [] } = entry;
  const items = path.map(part => `${part.nodeId}[${part.index}] › `).join("");
  const cause = error && !message.includes(error.message) ? ` ${error.message}` : "";
  return `${paint("dim", at.slice(11, 23), stream)} ${paint(LEVEL_STYLE[level], withoutControls(items + message + cause), stream)}`;
}

/**
 * Shows the progress of a run: in a terminal as a list of steps that is updated in place, elsewhere as one line for
 * each event.
 */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #steps = new Map<string, Step>();
  readonly #timer: NodeJS.Timeout | undefined;
  #drawn = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#timer = stream.isTTY ? setInterval(() => this.#draw(), REDRAW_MS).unref() : undefined;
  }

  entry(entry: LogEntry): void {
    if (!this.#stream.isTTY) return void this.#stream.write(`${entryLine(entry, this.#stream)}\n`);
    if (entry.nodeId !== null) this.#apply(entry);
    this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#stream.isTTY) this.#draw();
  }

  #apply(entry: LogEntry): void {
    const label = stepLabel(entry);
    const at = Date.parse(entry.at);
    const state = STATES[entry.event];
    const step = this.#steps.get(label) ?? { label, state: "running", startedAt: at, note: "" };
    this.#steps.set(label, step);
    if (entry.event === "step.log") step.note = withoutControls(entry.message);
    if (!state) return;
    step.state = state;
    if (state === "running") step.startedAt = at;
    step.took = DONE.has(state) ? (entry.durationMs ?? at - step.startedAt) : undefined;
    if (state === "failed" || state === "retrying") step.note = withoutControls(entry.error?.message ?? entry.message);
    else if (DONE.has(state)) step.note = "";
  }

  #line({ label, state, startedAt, took, note }: Step): string {
    const [sign, style] = LOOKS[state];
    const time = state === "skipped" ? "" : duration(took ?? Math.max(0, Date.now() - startedAt));
    // A wrapped line takes two rows and could not be updated in place.
    const width = this.#stream.columns || 80;
    const name = label.slice(0, Math.max(1, width - time.length - 5));
    const room = Math.max(0, width - name.length - time.length - 6);
    const said = note && room > 0 ? `  ${note.slice(0, room)}` : "";
    return `${paint(style, sign, this.#stream)} ${name}  ${paint("dim", time + said, this.#stream)}`;
  }

  /**
   * Overwrites the previous lines. Lines that do not fit on the screen cannot be updated, so the oldest steps are only
   * counted.
   */
  #draw(): void {
    const steps = [...this.#steps.values()];
    const room = Math.max(1, (this.#stream.rows || 24) - 2);
    const shown = steps.slice(-room);
    const more = steps.length > room ? [paint("dim", `  and ${steps.length - room} steps before`, this.#stream)] : [];
    const lines = [...more, ...shown.map(step => this.#line(step))];
    const back = this.#drawn > 0 ? `\u001b[${this.#drawn}A\u001b[J` : "";
    this.#stream.write(back + lines.map(line => `${line}\n`).join(""));
    this.#drawn = lines.length;
  }
}
