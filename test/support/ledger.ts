import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "./api.ts";
import { HANG_MS } from "./hang.ts";

/** One call that came in. */
export interface LedgerCall {
  /** Its Idempotency-Key: `<executionId>:<nodeId>`. */
  key: string;
  path: string;
  body: Json;
  /**
   * Counts all calls from 1. The usual response is `{value: number}`, which distinguishes a repeated call from the
   * first.
   */
  number: number;
  /** True if the caller disconnected before the response. */
  cut: boolean;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Decides the response to a call, and its time. */
export type Behaviour = (call: LedgerCall) => Reply | undefined | Promise<Reply | undefined>;

/** Delays responses until it is opened. */
export class Gate {
  private readonly opening = Promise.withResolvers<void>();
  readonly opened: Promise<void> = this.opening.promise;
  open(): void {
    this.opening.resolve();
  }
}

/**
 * A server outside of the product that records its callers, the number of calls, and how many are in progress at the
 * same time.
 */
export class Ledger {
  readonly calls: LedgerCall[] = [];
  /** The largest number of calls that waited for their response at the same time. */
  mostInFlight = 0;
  behaviour: Behaviour = () => undefined;
  private inFlight = 0;
  private readonly counts = new Map<string, number>();
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly server: Server;

  private constructor() {
    this.server = createServer((req, res) => void this.take(req, res).catch(() => res.destroy()));
  }

  static async open(behaviour?: Behaviour): Promise<Ledger> {
    const ledger = new Ledger();
    if (behaviour) ledger.behaviour = behaviour;
    ledger.server.listen(0, "127.0.0.1").unref();
    await once(ledger.server, "listening");
    return ledger;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Calls with this Idempotency-Key. */
  count(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  /** Resolves as soon as the condition holds. It is checked when a call arrives, is answered or is cut. */
  async until(holds: () => boolean, what: string, ms = HANG_MS): Promise<void> {
    const late = AbortSignal.timeout(ms);
    while (!holds()) {
      await once(this.changes, "change", { signal: late }).catch(() => {
        const last = this.calls.slice(-5).map(call => call.key);
        throw new Error(`Not within ${ms} ms: ${what}. ${this.calls.length} calls, the last: ${last.join(", ")}`);
      });
    }
  }

  /** Waits until there are this many calls with this key. */
  called(key: string, times = 1, ms?: number): Promise<void> {
    return this.until(() => this.count(key) >= times, `call ${times} of ${key}`, ms);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private async take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const key = String(req.headers["idempotency-key"] ?? "");
    const number = this.calls.length + 1;
    const call = { key, path: req.url ?? "", body: text && JSON.parse(text), number, cut: false };
    this.calls.push(call);
    this.counts.set(key, this.count(key) + 1);
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    res.once("close", () => {
      this.inFlight--;
      call.cut = !res.writableFinished;
      this.changes.emit("change");
    });
    this.changes.emit("change");
    const { status = 200, headers = {}, body = { value: number } } = (await this.behaviour(call)) ?? {};
    if (res.destroyed) return;
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  }
}
