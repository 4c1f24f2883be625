import { accessSync, constants } from "node:fs";
import { MongoClient, type MongoOptions } from "mongodb";
import type { ConnectOptions } from "mongoose";

/** The time limit of a query, and of the wait for a connection. */
export const QUERY_MS = 10_000;

/**
 * Options that the address cannot override. Each is set individually, because an option in the address overrides a
 * group.
 */
const PROMISED = {
  // An acknowledged write survives the loss of any minority of the servers, and a value once read is never rolled back.
  w: "majority",
  journal: true,
  wtimeoutMS: QUERY_MS,
  readConcernLevel: "majority",
  readPreference: "primary",
  // A write that a failover interrupts is retried once. The server recognizes the repetition.
  retryWrites: true,
  retryReads: true,
} as const;

/** The defaults that the address may override, for example with `?maxPoolSize=100`. */
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

/** An address of MongoDB that is permanently invalid. The message is one line, and repeats no part of the address. */
export class MongoAddressError extends Error {
  override readonly name = "MongoAddressError";
}

function namesIn(uri: string): Set<string> {
  const query = uri.split("?", 2)[1] ?? "";
  return new Set([...new URLSearchParams(query).keys()].map(name => name.toLowerCase()));
}

/** The connection options: credentials and TLS from the address, and the durability that Weft promises. */
export function mongoOptions(uri: string, usual: ConnectOptions = USUAL): ConnectOptions {
  const given = namesIn(uri);
  const own = Object.entries(usual).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(own), ...PROMISED };
}

function reasonOf(error: unknown): string {
  const { message } = error as Error;
  // This is the only message of the driver that repeats a text which may be part of a password.
  return message.startsWith("Username contains") ? "Username contains unescaped characters" : message;
}

/**
 * Validates an address without connecting.
 * @throws {MongoAddressError} when the address is invalid.
 */
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
