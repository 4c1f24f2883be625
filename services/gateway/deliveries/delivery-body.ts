import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Bytes } from "../../../adapters/files/port.ts";
import { MAX_RAW_BYTES } from "../../../contracts/entities/webhook.ts";
import { AppError } from "../../../contracts/errors.ts";
import type { Files, Received } from "../../../service-kit/files.ts";
import { type Exchange, hasBody } from "../http/exchange.ts";
import type { GatewayConfig } from "../http/settings.ts";
import { DELIVERY, hasKind, parseBody, readBytes, tooLarge } from "../request/body.ts";
import { queryFields } from "../request/delivery.ts";
import { fileNameOf } from "../request/file-name.ts";
import { digestOf, IncomingFiles, isMultipart, maxBytesOf } from "../request/incoming-files.ts";
import { objectOf } from "../request/multipart.ts";
import { receiveBytes } from "../request/upload.ts";

/** The most bodies of unverified senders that one node stores at the same time. */
const MAX_UNPROVEN = 16;
let unproven = 0;

/** The input of a run, and what else its workflow can read about the body. */
export interface ParsedBody {
  value: unknown;
  /**
   * A digest of the value, if it contains files. It does not depend on their ids, because the same files get other ids
   * when they are sent again.
   */
  sha256?: string;
  rawBody?: string;
}

/** The body of a delivery. */
export interface DeliveryBody {
  /** The data for checking a signature: the bytes in base64, or the place where they are stored. */
  proof(workspaceId: string): Promise<{ body: string } | { stored: Received }>;
  /**
   * The value. Call it once the sender is verified.
   * @throws {AppError} when it is too large, or does not match its type
   */
  take(workspaceId: string, keepRaw: boolean): Promise<ParsedBody>;
  /** Removes stored bytes that were not taken. */
  close(): void;
}

/**
 * The original body as text. Encoding it as UTF-8 gives the same bytes.
 * @throws {AppError} payload_too_large, or unsupported_media_type when the body is not UTF-8
 */
function rawText(bytes: Buffer): string {
  if (bytes.length > MAX_RAW_BYTES) throw tooLarge(MAX_RAW_BYTES);
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new AppError("unsupported_media_type", {
    detail: "The body is not UTF-8, so this webhook cannot keep it as it came.",
  });
}

/** A body that is held in memory: JSON, a form, text or nothing. With GET the query is the value. */
function shortBody(x: Exchange, limit: number): DeliveryBody {
  let reading: Promise<Buffer | undefined> | undefined;
  const isGet = x.req.method === "GET";
  const read = () =>
    (reading ??= isGet || !hasBody(x.req) ? Promise.resolve(undefined) : readBytes(x, limit, DELIVERY));
  return {
    proof: async () => ({ body: ((await read()) ?? Buffer.alloc(0)).toString("base64") }),
    take: async (_, keepRaw) => {
      const bytes = await read();
      const value = isGet ? queryFields(x.search) : parseBody(x, bytes, DELIVERY);
      return { value, ...(keepRaw && { rawBody: rawText(bytes ?? Buffer.alloc(0)) }) };
    },
    close: () => undefined,
  };
}

/** A form with files, or a file. It is stored while it arrives. */
class LongBody implements DeliveryBody {
  readonly #x: Exchange;
  readonly #config: GatewayConfig;
  readonly #files: Files;
  readonly #type: string;
  #incoming: IncomingFiles | undefined;
  /** The whole body, if a signature covers it. */
  #whole: Received | undefined;

  constructor(x: Exchange, config: GatewayConfig, files: Files) {
    this.#x = x;
    this.#config = config;
    this.#files = files;
    this.#type = x.req.headers["content-type"] ?? "";
  }

  async proof(workspaceId: string): Promise<{ stored: Received }> {
    const incoming = this.#filesOf(workspaceId);
    if (unproven >= MAX_UNPROVEN)
      throw new AppError("unavailable", { detail: "Too many deliveries with files are in progress. Try again." });
    unproven++;
    try {
      this.#whole = await incoming.receive(this.#arriving(), maxBytesOf(this.#config));
    } finally {
      unproven--;
    }
    return { stored: this.#whole };
  }

  async take(workspaceId: string, keepRaw: boolean): Promise<ParsedBody> {
    const incoming = this.#filesOf(workspaceId);
    if (!keepRaw) return this.#valueOf(incoming, this.#whole ? incoming.read(this.#whole) : this.#arriving());
    if (this.#whole && this.#whole.size > MAX_RAW_BYTES) throw tooLarge(MAX_RAW_BYTES);
    const source = this.#whole ? incoming.read(this.#whole) : this.#arriving(MAX_RAW_BYTES);
    const bytes = await buffer(source as AsyncIterable<Buffer>);
    const rawBody = rawText(bytes);
    return { ...(await this.#valueOf(incoming, Readable.from([bytes]))), rawBody };
  }

  close(): void {
    this.#incoming?.close();
  }

  #filesOf(workspaceId: string): IncomingFiles {
    return (this.#incoming ??= new IncomingFiles(this.#files, { workspaceId }, this.#config));
  }

  #arriving(limit = isMultipart(this.#type) ? maxBytesOf(this.#config) : this.#config.MAX_FILE_BYTES): Bytes {
    return receiveBytes(this.#x, limit);
  }

  async #valueOf(incoming: IncomingFiles, bytes: Bytes): Promise<ParsedBody> {
    if (isMultipart(this.#type)) {
      const value = objectOf(await incoming.form(bytes, this.#type));
      return { value, sha256: digestOf(value) };
    }
    const { MAX_FILE_BYTES } = this.#config;
    if (this.#whole && this.#whole.size > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES);
    const received = this.#whole ?? (await incoming.receive(bytes));
    // A chunked body may turn out to be empty.
    if (received.size === 0) return { value: undefined };
    const name = fileNameOf(this.#x.req.headers["content-disposition"]) ?? "";
    const value = await incoming.publish(received, { name, type: this.#type });
    return { value, sha256: digestOf(value) };
  }
}

/** The body of a delivery: a value of a known type, or else a file. */
export function deliveryBody(x: Exchange, config: GatewayConfig, files: Files): DeliveryBody {
  const isLong = x.req.method !== "GET" && hasBody(x.req) && !hasKind(x, DELIVERY);
  return isLong ? new LongBody(x, config, files) : shortBody(x, config.MAX_BODY_BYTES);
}
