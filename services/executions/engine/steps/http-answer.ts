import { OutboundError } from "../../../../adapters/net/outbound-error.ts";
import type { OutboundStream } from "../../../../adapters/net/port.ts";
import { MAX_RESPONSE_BYTES } from "../../../../core/graph/node-data.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import { config } from "../../../../config.ts";
import { isTextSoFar, readBody, textOf } from "../../../../core/http-body.ts";
import { storeAnswer } from "./http-files.ts";
import type { StepContext } from "./step.ts";

/** After this many bytes, Weft decides whether a response is text. So memory never holds a whole file. */
const SNIFFED_BYTES = 64 * 1024;

type Data = DataOf<"http">;

/** The body in the form that the step's `response` sets, or why it has another form. */
export type ReadAnswer = { body: unknown } | { not: "text"; bytes: Uint8Array } | { not: "json"; bytes: Uint8Array };

/** The most bytes that are read of a response. Files have a limit of their own. */
export const maxBytesOf = ({ response, maxResponseBytes }: Data): number =>
  response === "file" || response === "auto"
    ? Math.min(maxResponseBytes ?? Infinity, config().MAX_FILE_BYTES)
    : valueBytesOf(maxResponseBytes);

/** The limit of a value, which is held in memory as a whole. A step cannot raise it. */
const valueBytesOf = (maxResponseBytes = Infinity) => Math.min(maxResponseBytes, MAX_RESPONSE_BYTES);

/** Reads the first bytes of a body and abandons the rest. */
export async function firstBytes(body: OutboundStream["body"], limit: number): Promise<Uint8Array> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    held.push(chunk);
    if ((size += chunk.length) >= limit) break;
  }
  return Buffer.concat(held, size).subarray(0, limit);
}

async function* joined(held: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* held;
  yield* rest;
}

/**
 * Reads the body of a response. A file is stored while it arrives.
 * @throws {OutboundError} response_too_large, or an error of the call
 * @throws {AppError} when the file cannot be stored
 */
export async function readAnswer(answer: OutboundStream, data: Data, context: StepContext): Promise<ReadAnswer> {
  const { response, maxResponseBytes } = data;
  const type = answer.headers["content-type"] ?? "";
  if (response === "file") return { body: await storeAnswer(answer.body, answer, context) };
  const limit = valueBytesOf(maxResponseBytes);
  const held: Uint8Array[] = [];
  let size = 0;
  let isSniffed = response !== "auto";
  // Calls `next` directly. Leaving a `for await` loop would close the body, whose rest may become a file.
  for (let next = await answer.body.next(); !next.done; next = await answer.body.next()) {
    held.push(next.value);
    size += next.value.length;
    if (!isSniffed && size >= SNIFFED_BYTES) {
      isSniffed = true;
      if (!isTextSoFar(Buffer.concat(held, size), type))
        return { body: await storeAnswer(joined(held, answer.body), answer, context) };
    }
    if (size > limit) {
      await answer.body.return();
      throw new OutboundError("response_too_large", `The answer is larger than ${limit} bytes`);
    }
  }
  const bytes = Buffer.concat(held, size);
  const text = textOf(bytes, type);
  if (text === undefined) {
    if (response !== "auto") return { not: "text", bytes };
    return { body: await storeAnswer(joined([bytes], answer.body), answer, context) };
  }
  const body = readBody(text, type, response);
  return body === undefined ? { not: "json", bytes } : { body };
}
