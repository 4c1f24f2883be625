import { accessSync, constants } from "node:fs";
import { MongoClient, type MongoOptions } from "mongodb";
import type { ConnectOptions } from "mongoose";

/** The longest that one query, or the wait for a connection, takes. */
export const QUERY_MS = 10_000;

/** What the address has no say in, option by option, as one given there would win over a group of them. */
const PROMISED = {
  // What is acknowledged survives the loss of any minority of the servers, and what is read is never taken back.
  w: "majority",
  journal: true,
  wtimeoutMS: QUERY_MS,
  readConcernLevel: "majority",
  readPreference: "primary",
  // A write that a failover cut off is sent again, once, and the server knows it from the first.
  retryWrites: true,
  retryReads: true,
} as const;

/** What the address may set otherwise, such as `?maxPoolSize=100`. */
const USUAL = {
  appName: "weft",
  maxPoolSize: 50,
  maxConnecting: 4,
  maxIdleTimeMS: 300_000,
  waitQueueTimeoutMS: QUERY_MS,
  connectTimeoutMS: 5_000,
  serverSelectionTimeoutMS: 5_000,
  socketTimeoutMS: 30_000,
} as const;

/** An address of MongoDB that no waiting makes good. Its message is one line, and repeats nothing of the address. */
export class MongoAddressError extends Error {
  override readonly name = "MongoAddressError";
}

function namesIn(uri: string): Set<string> {
  const query = uri.split("?", 2)[1] ?? "";
  return new Set([...new URLSearchParams(query).keys()].map(name => name.toLowerCase()));
}

/** How to connect there: credentials and TLS as the address says, durability as Weft promises. */
export function mongoOptions(uri: string, usual: ConnectOptions = USUAL): ConnectOptions {
  const given = namesIn(uri);
  const own = Object.entries(usual).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(own), ...PROMISED };
}

function reasonOf(error: unknown): string {
  const { message } = error as Error;
  // The only one of the driver's messages that repeats a part of what may be a password.
  return message.startsWith("Username contains") ? "Username contains unescaped characters" : message;
}

/** Reads the address without going there. MongoAddressError. */
export function checkMongoAddress(uri: string): void {
  let options: MongoOptions;
  try {
    options = new MongoClient(uri, mongoOptions(uri)).options;
  } catch (error) {
    throw new MongoAddressError(`MONGODB_URI: is not valid: ${reasonOf(error)}`);
  }
  for (const name of ["tlsCAFile", "tlsCertificateKeyFile", "tlsCRLFile"] as const) {
    const file = options[name];
    if (!file) continue;
    try {
      accessSync(file, constants.R_OK);
    } catch {
      throw new MongoAddressError(`MONGODB_URI: cannot read ${file}, expected the file that ${name} names`);
    }
  }
}
