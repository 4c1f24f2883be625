import type { ServiceBroker } from "moleculer";
import type { Identity } from "../../../contracts/entities/user.ts";
import { AppError } from "../../../contracts/errors.ts";
import { identityOf } from "../authenticate.ts";

const CALL_TIMEOUT_MS = 10_000;

export interface StreamEvent {
  /** They grow from event to event. */
  id: number;
  event: string;
  data: unknown;
}

/** What one stream shows: events read from where the last reading ended, by one caller and with that caller's rights. */
export interface Feed {
  /** The id of the last event that was read. */
  readonly seq: number;
  /** There are events behind the last one that was read. */
  readonly more: boolean;
  /** The last event that there will be was read. */
  readonly ended: boolean;
  /** How long a reading may wait for a hint, in milliseconds. */
  readonly restMs: number;
  /** The events after the last one that was read; up to a page. */
  read(): Promise<StreamEvent[]>;
  /** Whether no event will come any more, though none has said so. */
  finished(): Promise<boolean>;
}

/** Whom a stream is for, with the rights that they have now. */
export class StreamCaller {
  readonly #broker: ServiceBroker;
  readonly #token: string;
  /** For the calls that read what the stream shows. */
  readonly options: { timeout: number; requestID: string; meta: { identity: Identity } };

  constructor(broker: ServiceBroker, caller: { identity: Identity; token: string; requestId: string }) {
    this.#broker = broker;
    this.#token = caller.token;
    this.options = { timeout: CALL_TIMEOUT_MS, requestID: caller.requestId, meta: { identity: caller.identity } };
  }

  get identity(): Identity {
    return this.options.meta.identity;
  }

  /** @throws AppError unauthenticated when the token has ended */
  async renew(): Promise<void> {
    const identity = await identityOf(this.#broker, this.#token, this.options.requestID);
    if (!identity) throw new AppError("unauthenticated");
    this.options.meta.identity = identity;
  }
}
