import { setTimeout as sleep } from "node:timers/promises";
import { Errors, type Packet, Transporters } from "moleculer";
import { connect, createInbox, ErrorCode, Events, headers, type Msg, type NatsConnection } from "nats";
import { AppError } from "../../contracts/errors.ts";
import { backoffMs, SERVER_UNAVAILABLE } from "../../core/backoff.ts";
import { connectionOptions } from "./connection-options.ts";
import { cut, labelText, Parts } from "./parts.ts";

/** The limit of one call or answer, in all its parts. It is less than NATS buffers for a slow reader. */
const MAX_MESSAGE_BYTES = 33_554_432;
/** The part of the server's `max_payload` that is reserved for headers. */
const HEADER_BYTES = 1_024;
/** The limit of a flush, so that a hanging server does not delay a stopping node. */
const FLUSH_MS = 1_000;
/** The minimum interval between log lines about repeated failures. */
const SAY_EVERY_MS = 10_000;
const PART = "Weft-Part";
const NO_RESPONDERS = 503;
const [REQUEST, RESPONSE, EVENT] = ["REQ", "RES", "EVENT"];

const REFUSED = "NATS refuses the credentials in NATS_URL";
const REASONS: Readonly<Record<string, string>> = {
  [ErrorCode.AuthorizationViolation]: REFUSED,
  [ErrorCode.AuthenticationExpired]: REFUSED,
  [ErrorCode.BadAuthentication]: REFUSED,
  [ErrorCode.ServerOptionNotAvailable]: "it offers no TLS",
};
const reasonOf = ({ code, message }: { code?: string; message?: string }) =>
  REASONS[code ?? ""] ?? message ?? code ?? "";

type AnyPacket = Packet.Packet<Packet.PacketPayload & { id?: string }>;

/**
 * Extends Moleculer's NATS transporter. It notices a lost connection, so calls fail immediately instead of being
 * buffered and sent after their callers have given up. The server tells it that a node is gone, and it sends the call
 * to another node. It carries messages that are larger than the server's `max_payload`.
 */
export class NatsTransporter extends Transporters.NATS {
  declare client: NatsConnection | null;
  readonly #inbox = createInbox();
  readonly #parts = new Parts(MAX_MESSAGE_BYTES);
  #messages = 0;
  #stopping = false;
  #saidAt = -Infinity;

  constructor(addresses: string) {
    super(connectionOptions(addresses));
  }

  /** Connects. Retries until a server answers, or the node stops. */
  override async connect(): Promise<void> {
    this.#stopping = false;
    const client = await this.#reached();
    if (!client) return;
    this.client = client;
    // Called before any await, because a connection may be lost as soon as it exists.
    void this.#follow(client);
    client.subscribe(`${this.#inbox}.*`, { callback: (_error, message) => this.#undelivered(message) });
    await this.onConnected();
    // Services that did not wait for the connection have not been announced to other nodes yet.
    await this.transit.discoverer.sendLocalNodeInfo();
  }

  /** A lost connection is not flushed, because the flush could not succeed. */
  override async disconnect(): Promise<void> {
    this.#stopping = true;
    const { client } = this;
    this.client = null;
    const flushed = this.connected ? client?.flush().catch(() => undefined) : undefined;
    this.connected = false;
    await Promise.race([flushed, sleep(FLUSH_MS, undefined, { ref: false })]);
    await client?.close();
  }

  override subscribe(command: string, nodeID?: string): Promise<void> {
    const callback = (error: unknown, message: Msg) => {
      // An exception here would end the reading from this connection for good.
      try {
        if (error) throw error as Error;
        const whole = this.#whole(message);
        if (whole) void this.receive(command, whole);
      } catch (fault) {
        this.#say("A message cannot be read.", fault);
      }
    };
    this.client?.subscribe(this.getTopicName(command, nodeID), { callback });
    return Promise.resolve();
  }

  override prepublish(packet: AnyPacket): Promise<void> {
    // An event is a hint, and may be lost.
    if (!this.connected && packet.type === EVENT) return Promise.resolve();
    return super.prepublish(packet);
  }

  override async publish(packet: AnyPacket): Promise<void> {
    const data = this.serialize(packet);
    if (data.length > MAX_MESSAGE_BYTES) return await this.#refuse(packet, data.length);
    const reply = packet.type === REQUEST ? `${this.#inbox}.${packet.payload.id}` : undefined;
    this.#write(this.getTopicName(packet.type, packet.target), data, reply);
  }

  #write(topic: string, data: Buffer, reply: string | undefined): void {
    const { client } = this;
    if (!client) return;
    const max = client.info?.max_payload ?? 1_048_576;
    const limit = Math.max(max - HEADER_BYTES, max >> 1);
    if (data.length <= limit) return client.publish(topic, data, { reply });
    const message = this.#messages++;
    const parts = cut(data, limit);
    parts.forEach((part, index) => {
      const label = headers();
      label.set(PART, labelText({ sender: this.nodeID, message, index, count: parts.length }));
      // Only the last part requests an answer. If no node takes this part, the message was not delivered, and one such
      // answer is enough to send the call to another node.
      client.publish(topic, part, { headers: label, ...(index + 1 === parts.length && { reply }) });
    });
  }

  #whole({ data, headers: labels }: Msg): Buffer | undefined {
    const label = labels?.get(PART);
    if (label) return this.#parts.add(label, data, performance.now());
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  }

  /** Sends an error instead of an answer that is too large, so that the caller does not wait for nothing. */
  #refuse(packet: AnyPacket, bytes: number): Promise<void> {
    if (packet.type !== RESPONSE) return Promise.reject(new AppError("payload_too_large"));
    this.logger.error(`A reply of ${bytes} bytes is too large to be sent.`);
    const { payload } = packet;
    const error = this.transit._createPayloadErrorField(new AppError("internal_error"), payload);
    Object.assign(payload, { success: false, data: null, error });
    return this.publish(packet);
  }

  /**
   * Handles the server's message that a node no longer subscribes to its calls. The node is gone, and the call was not
   * executed.
   */
  #undelivered({ subject, headers: status }: Msg): void {
    if (status?.code !== NO_RESPONDERS) return;
    const { broker, transit } = this;
    const request = transit.pendingRequests.get(subject.slice(this.#inbox.length + 1));
    if (!request) return;
    const { ctx, nodeID, resolve, reject } = request;
    const action = ctx.action?.name ?? "";
    transit.removePendingRequest(ctx.id);
    void this.#gone(nodeID);
    const other = broker.findNextActionEndpoint(action, ctx.options, ctx);
    if (other instanceof Error || other.local) {
      return reject(new Errors.ServiceNotAvailableError({ action, nodeID }));
    }
    ctx.setEndpoint(other);
    transit.request(ctx).then(resolve, reject);
  }

  /**
   * Rejects the calls at the node. The flush first lets the server name calls that did not reach the node. They are
   * sent again.
   */
  async #gone(nodeID: string): Promise<void> {
    const { broker, transit } = this;
    broker.registry.unregisterServicesByNode(nodeID);
    await this.client?.flush().catch(() => {});
    transit.discoverer.remoteNodeDisconnected(nodeID, true);
  }

  async #follow(client: NatsConnection): Promise<void> {
    for await (const { type, data } of client.status()) {
      if (type === Events.Disconnect) this.#lost();
      else if (type === Events.Reconnect) {
        this.logger.info("The connection to NATS is back.");
        // Not awaited, because the connection may be lost again meanwhile.
        void this.onConnected(true);
      } else if (type === Events.Error) this.#say(`NATS says: ${reasonOf({ code: `${data as string}` })}`);
    }
  }

  async #reached(): Promise<NatsConnection | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        const client = await connect(this.opts);
        if (!this.#stopping) return client;
        await client.close();
      } catch (error) {
        this.#say(`Waiting for NATS: ${reasonOf(error as Error)}`);
      }
      if (!this.#stopping) await sleep(backoffMs(SERVER_UNAVAILABLE, tries, Math.random()));
      if (this.#stopping) return undefined;
    }
  }

  #say(message: string, error?: unknown): void {
    const now = performance.now();
    if (now - this.#saidAt < SAY_EVERY_MS) return;
    this.#saidAt = now;
    this.logger.warn(message, ...(error === undefined ? [] : [error]));
  }

  /**
   * Handles a lost connection. Pending answers will not arrive, and other nodes count as gone until they announce
   * themselves again.
   */
  #lost(): void {
    if (!this.connected) return;
    const { broker, transit } = this;
    this.connected = false;
    this.#parts.clear();
    this.logger.warn("The connection to NATS is lost.");
    for (const { id, local } of broker.registry.nodes.toArray()) {
      if (!local) transit.discoverer.remoteNodeDisconnected(id, false);
    }
  }
}
