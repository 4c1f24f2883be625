import { gzip } from "node:zlib";
import { acceptedEncoding } from "./accepted-encoding.ts";
import { type Exchange, JSON_TYPE } from "./exchange.ts";

/** For smaller responses, the savings are less than one network round trip. */
const MIN_BYTES = 4_096;
/** The fastest level. It shrinks lists to a tenth, and the best level takes several times as long for little more. */
const LEVEL = 1;
/**
 * Beyond this number at the same time, responses are sent uncompressed, because the threads that compress also read
 * files.
 */
const MOST_AT_ONCE = 16;

let underWay = 0;

/**
 * Sends JSON, compressed if it is large and the client accepts it. Use it for responses to reads only. Those contain no
 * secret: tokens, keys and webhook secrets are in responses to POST, which are never compressed. A page of another
 * origin cannot send requests in a person's name either, because the API uses no cookies. So the length of a response
 * reveals nothing (BREACH).
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
