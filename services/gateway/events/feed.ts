import type { ServiceBroker } from "moleculer";
import type { Identity } from "../../../contracts/entities/user.ts";
import { AppError } from "../../../contracts/errors.ts";
import { identityOf } from "../access/authenticate.ts";

const CALL_TIMEOUT_MS = 10_000;

export interface StreamEvent {
  /** Ids grow from event to event. */
  id: number;
  event: string;
  data: unknown;
}

/** The contents of one stream. Each read continues after the last one, with the rights of one caller. */
export interface Feed {
  /** The id of the last event that was read. */
  readonly seq: number;
  /** More events exist after the last one that was read. */
  readonly more: boolean;
  /** The last event of all was read. */
  readonly ended: boolean;
  /** The client takes words as a model writes them. */
  readonly words?: boolean;
  /** How long a reader may rely on hints before it reads again, in milliseconds. */
  readonly restMs: number;
  /** The events after the last one that was read, at most a page. */
  read(): Promise<StreamEvent[]>;
  /** Whether no event will follow, although no last event was read. */
  finished(): Promise<boolean>;
}

/** The caller of a stream, with the caller's current rights. */
export class StreamCaller {
  readonly #broker: ServiceBroker;
  readonly #token: string;
  readonly #address: string;
  /** Options of the calls that read the stream's contents. */
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

  /** @throws {AppError} unauthenticated when the token has expired or was ended */
  async renew(): Promise<void> {
    const identity = await identityOf(this.#broker, this.#token, this.#address, this.options.requestID);
    if (!identity) throw new AppError("unauthenticated");
    this.options.meta.identity = identity;
  }
}
