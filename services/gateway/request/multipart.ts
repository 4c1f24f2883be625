import { Busboy, type BusboyInstance } from "@fastify/busboy";
import type { Readable } from "node:stream";
import type { Bytes } from "../../../adapters/files/port.ts";
import { AppError } from "../../../contracts/errors.ts";
import { parseJson } from "./json.ts";

const MAX_PARTS = 1_000;
const MAX_FILES = 100;
const MAX_HEADER_BYTES = 16_384;
const JSON_PART = /^application\/(json|[\w.+-]+\+json)$/i;
const TEXT_PART = /^text\//i;

/** A part's name and value, in the order of the body. */
export type Field = [name: string, value: unknown];

export interface FilePart {
  name: string;
  type: string;
}

interface Settings {
  contentType: string;
  /** The limit of all parts that are not files, together. */
  maxFieldBytes: number;
  /** Receives the bytes of a file part and returns its value; undefined leaves the part out. */
  keep: (bytes: Bytes, part: FilePart) => Promise<unknown>;
}

const malformed = () => new AppError("validation_failed", { detail: "The body is not valid multipart/form-data." });
const tooMany = (what: string) => new AppError("validation_failed", { detail: `A form is limited to ${what}.` });

function parserOf({ contentType, maxFieldBytes }: Settings): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: { parts: MAX_PARTS, fieldSize: maxFieldBytes + 1, headerSize: MAX_HEADER_BYTES, headerPairs: 50 },
      isPartAFile: (_name, type = "text/plain", fileName) =>
        fileName !== undefined || !(TEXT_PART.test(type) || JSON_PART.test(type)),
    });
  } catch {
    throw malformed();
  }
}

/** The bytes of a part. An error while reading becomes a fault of the body. */
async function* bytesOf(part: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* part as AsyncIterable<Buffer>;
  } catch {
    throw malformed();
  }
}

/** The parts of one body that were read so far. */
class Reading {
  readonly fields: { name: string; value: unknown }[] = [];
  /** Rejects when the body cannot be read further. */
  readonly failed: Promise<never>;
  fail!: (error: unknown) => void;
  readonly #settings: Settings;
  readonly #open = new Set<Readable>();
  readonly #kept: Promise<unknown>[] = [];
  #fieldBytes = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.failed = new Promise((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
  }

  addFile(name: string, part: Readable, fileName: string | undefined, type: string): void {
    // Errors also reach the iterator. Without this listener, an early error would end the process.
    part.on("error", () => undefined);
    if (this.#kept.length === MAX_FILES) return this.fail(tooMany(`${MAX_FILES} files`));
    const field = { name, value: undefined as unknown };
    this.fields.push(field);
    this.#open.add(part);
    const kept = this.#settings
      .keep(bytesOf(part), { name: fileName ?? "", type })
      .then(value => (field.value = value))
      .finally(() => this.#open.delete(part));
    kept.catch(this.fail);
    this.#kept.push(kept);
  }

  addField(name: string, text: string, type: string): void {
    this.#fieldBytes += Buffer.byteLength(text);
    const { maxFieldBytes } = this.#settings;
    if (this.#fieldBytes > maxFieldBytes) {
      const detail = `The parts that are not files are limited to ${maxFieldBytes} bytes.`;
      return this.fail(new AppError("payload_too_large", { detail }));
    }
    try {
      this.fields.push({ name, value: JSON_PART.test(type) ? parseJson(Buffer.from(text)) : text });
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Resolves when all files are stored.
   * @throws the first error of a file
   */
  kept(): Promise<unknown> {
    return Promise.all(this.#kept);
  }

  /** Aborts the files that are still being read, and waits until their storage has ended. */
  async abandon(): Promise<void> {
    for (const part of this.#open) part.destroy(malformed());
    await Promise.allSettled(this.#kept);
  }
}

function listen(parser: BusboyInstance, reading: Reading): Promise<void> {
  return new Promise(resolve => {
    parser.on("file", (name, part, fileName: string | undefined, _encoding, type) =>
      reading.addFile(name, part, fileName, type),
    );
    parser.on("field", (name, text, _nameCut, _cut, _encoding, type) => reading.addField(name, text, type));
    parser.on("partsLimit", () => reading.fail(tooMany(`${MAX_PARTS} parts`)));
    parser.on("error", () => reading.fail(malformed()));
    parser.on("finish", resolve);
  });
}

const drained = (parser: BusboyInstance) => new Promise<void>(resolve => parser.once("drain", resolve));

/**
 * Reads a multipart/form-data body while it arrives. A part with a file name, or of a type that is neither text nor
 * JSON, is a file. A part of a JSON type becomes its value. No file is held in memory.
 * @throws {AppError} validation_failed, payload_too_large, malformed_json; also the errors of `body` and `keep`
 */
export async function readMultipart(body: Bytes, settings: Settings): Promise<Field[]> {
  const parser = parserOf(settings);
  const reading = new Reading(settings);
  const finished = listen(parser, reading);
  try {
    for await (const chunk of body) if (!parser.write(chunk)) await Promise.race([drained(parser), reading.failed]);
    parser.end();
    await Promise.race([finished, reading.failed]);
    await Promise.race([reading.kept(), reading.failed]);
  } catch (error) {
    await reading.abandon();
    parser.destroy();
    throw error;
  }
  return reading.fields.flatMap(({ name, value }): Field[] => (value === undefined ? [] : [[name, value]]));
}

/** Fields as an object. A repeated name becomes a list. */
export function objectOf(fields: readonly Field[]): Record<string, unknown> {
  const all = new Map<string, unknown[]>();
  for (const [name, value] of fields) {
    if (name === "__proto__") continue;
    const before = all.get(name);
    if (before) before.push(value);
    else all.set(name, [value]);
  }
  return Object.fromEntries([...all].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
