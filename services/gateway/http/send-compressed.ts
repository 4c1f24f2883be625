import { gzip } from "node:zlib";
import { acceptedEncoding } from "./accepted-encoding.ts";
import { type Exchange, JSON_TYPE } from "./exchange.ts";

/** Smaller answers gain less than a round trip of the network. */
const MIN_BYTES = 4_096;
/** The fastest level: of lists it leaves a tenth, and the best one costs several times as much for little more. */
const LEVEL = 1;
/** Beyond this many at a time, answers are sent uncompressed: the threads that compress also read files. */
const MOST_AT_ONCE = 16;

let underWay = 0;

/**
 * Sends JSON that only reads have given, compressed where the client accepts it and it is large. Such answers carry no
 * secret: tokens, keys and secrets of webhooks are answers of POST, which are never compressed. A page of another origin
 * cannot ask in a person's name either, as the API takes no cookies. So the length of an answer tells nothing (BREACH).
 */
export function sendCompressed(x: Exchange, status: number, body: string, base?: readonly string[]): void {
  x.headers.push("Vary", "Accept-Encoding");
  const bytes = Buffer.from(body);
  const isWanted = acceptedEncoding(x.req.headers["accept-encoding"], ["gzip"]) === "gzip";
  if (!isWanted || bytes.length < MIN_BYTES || underWay >= MOST_AT_ONCE) return x.send(status, JSON_TYPE, bytes, base);
  underWay++;
  gzip(bytes, { level: LEVEL }, (error, packed) => {
    underWay--;
    if (error) return x.send(status, JSON_TYPE, bytes, base);
    x.headers.push("Content-Encoding", "gzip");
    x.send(status, JSON_TYPE, packed, base);
  });
}
