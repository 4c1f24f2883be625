import { hint } from "../../contracts/call.ts";
import { FINAL_EVENTS, type LogEntry, type LogEvent } from "../../contracts/entities/execution.ts";
import { ID, type Stubs, type TestGateway } from "./gateway.ts";

/** A stub of one execution and its log. */
export class Journal {
  readonly entries: LogEntry[] = [];
  /** How often the log was read. */
  reads = 0;
  /** True if reading it fails. */
  away = false;

  readonly stubs: Stubs = {
    "executions.progress": () => ({
      finishedAt: this.entries.some(entry => FINAL_EVENTS.has(entry.event)) ? "now" : null,
    }),
    "executions.logs": ({ after = 0, limit }) => {
      this.reads++;
      if (this.away) throw new Error("away");
      const behind = this.entries.filter(entry => entry.seq > after);
      const items = behind.slice(0, limit);
      return { items, next: behind.length > items.length ? String(items.at(-1)?.seq) : null };
    },
  };

  append(event: LogEvent, message = ""): LogEntry {
    const entry: LogEntry = {
      seq: this.entries.length + 1,
      executionId: ID,
      nodeId: null,
      nodeType: null,
      attempt: null,
      event,
      level: "info",
      message,
      at: "2026-01-02T03:04:05.678Z",
    };
    this.entries.push(entry);
    return entry;
  }

  /** Sends the gateway a hint that there is more to read. */
  hint({ broker }: TestGateway): void {
    hint(broker, "all", "execution.appended", { executionId: ID, seq: this.entries.length });
  }
}

/** The number of streams that the gateway still follows. */
export const openStreams = ({ broker }: TestGateway): number =>
  (broker.getLocalService("gateway") as unknown as { streams: { size: number } }).streams.size;
