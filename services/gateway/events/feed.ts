import type { ServiceBroker } from "moleculer";
import type { Identity } from "../../../contracts/entities/user.ts";
import { AppError } from "../../../contracts/errors.ts";
import { identityOf } from "../access/authenticate.ts";

const CALL_TIMEOUT_MS = 10_000;

export interface StreamEvent {
  /** Ids increase from event to event. */
  id: number;
  event: string;
  data: unknown;
}

/** The contents of one stream. Each read continues after the previous one, with the rights of one caller. */
export interface Feed {
  /** The id of the last event that was read. */
  readonly seq: number;
  /** True if more events exist after the last one that was read. */
  readonly more: boolean;
  /** True if the final event of the stream was read. */
  readonly ended: boolean;
  /** True if the client wants text while a model writes it. */
  readonly words?: boolean;
  /** How long a reader may rely on hints before it has to read again, in milliseconds. */
  readonly restMs: number;
  /** The events after the last one that was read, at most one page. */
  read(): Promise<StreamEvent[]>;
  /** Whether no more events will follow, although the final event was not read here. */
  finished(): Promise<boolean>;
}

/** The caller of a stream, with the caller's current rights. */
export class StreamCaller {
  readonly #broker: ServiceBroker;
  readonly #token: string;
  readonly #address: string;
  /** Options for the calls that read the stream's contents. */
  readonly options: { timeout: number; requestID: string; meta: { identity: Identity } };

  constructor(
    broker: ServiceBroker,
    caller: { identity: Identity; token: string; address: string; requestId: string },
  ) {
    this.#broker = broker;
    this.#token = caller.token;
    this.#address = caller.address;
    this.options = { timeout: CALL_TIMEOUT_MS, requestID: caller.requestId, meta: { identity: caller.identity } };
  }

  get identity(): Identity {
    return this.options.meta.identity;
  }

  /**
   * Reads the caller's current rights.
   * @throws {AppError} unauthenticated when the token has expired or was ended
   */
  async renew(): Promise<void> {
    const identity = await identityOf(this.#broker, this.#token, this.#address, this.options.requestID);
    if (!identity) throw new AppError("unauthenticated");
    this.options.meta.identity = identity;
  }
}
