import type { ServiceBroker } from "moleculer";
import { call } from "../../../contracts/call.ts";
import { FINAL_EVENTS, type LogEntry } from "../../../contracts/entities/execution.ts";
import type { Identity } from "../../../contracts/entities/user.ts";
import { AppError } from "../../../contracts/errors.ts";
import { MAX_PAGE } from "../../../contracts/primitives.ts";
import { identityOf } from "../authenticate.ts";

const CALL_TIMEOUT_MS = 10_000;

/** An execution as its path names it. */
export interface ExecutionPath {
  workspaceId: string;
  spaceId: string;
  id: string;
}

/** The log of one execution, read from where the last reading ended, by one caller and with that caller's rights. */
export class Follower {
  readonly #broker: ServiceBroker;
  readonly #path: ExecutionPath;
  readonly #token: string;
  readonly #options: { timeout: number; requestID: string; meta: { identity: Identity } };
  /** The last seq that was read. */
  seq: number;
  /** There are entries behind the last one that was read. */
  more = false;
  /** The execution's last entry was read. */
  ended = false;

  constructor(
    broker: ServiceBroker,
    caller: { identity: Identity; token: string; requestId: string },
    path: ExecutionPath,
    after: number,
  ) {
    this.#broker = broker;
    this.#path = path;
    this.#token = caller.token;
    this.#options = {
      timeout: CALL_TIMEOUT_MS,
      requestID: caller.requestId,
      meta: { identity: caller.identity },
    };
    this.seq = after;
  }

  /** The entries after the last one that was read; up to a page. */
  async read(): Promise<LogEntry[]> {
    const input = { ...this.#path, after: this.seq, limit: MAX_PAGE };
    this.more = false;
    const { items, next } = await call(this.#broker, "executions.logs", input, this.#options);
    this.more = next !== null;
    const fresh = items.filter(entry => entry.seq > this.seq);
    const last = fresh.at(-1);
    if (last) this.seq = last.seq;
    this.ended ||= fresh.some(entry => FINAL_EVENTS.has(entry.event));
    return fresh;
  }

  /** Whether the execution has ended; also asks whether the caller may read it. */
  async finished(): Promise<boolean> {
    const { finishedAt } = await call(this.#broker, "executions.get", this.#path, this.#options);
    return finishedAt !== null;
  }

  /** @throws AppError unauthenticated when the token has ended */
  async renew(): Promise<void> {
    const identity = await identityOf(this.#broker, this.#token, this.#options.requestID);
    if (!identity) throw new AppError("unauthenticated");
    this.#options.meta.identity = identity;
  }
}
