import { accessSync, constants } from "node:fs";
import { isIP } from "node:net";
import type { ConnectionOptions, TlsOptions } from "nats";

/** The ping interval. A server that disappears silently, for example behind a cut cable, is noticed after two pings. */
const PING_MS = 5_000;
const RECONNECT_MS = 250;
/** A server that accepts a connection but stays silent counts as unavailable after this time, in ms. */
const CONNECT_MS = 5_000;
/** Parameters for PEM files in an address, as in MongoDB's addresses. */
const FILES = { tlsCAFile: "caFile", tlsCertFile: "certFile", tlsKeyFile: "keyFile" } as const;
const NAMESPACE = "namespace";
const USUAL = "weft";
const ALLOWED = /^[a-z0-9_-]{1,64}$/i;

const EXPECTED =
  "addresses such as nats://user:password@host:4222, with what has a meaning in addresses written as %2F";

interface Credentials {
  user?: string;
  pass?: string;
  token?: string;
}

/** An address of NATS that is permanently invalid. The message is one line, and repeats nothing that may be secret. */
export class NatsAddressError extends Error {
  override readonly name = "NatsAddressError";
}

function read(address: string): URL {
  try {
    const url = new URL(address);
    // Undecodable credentials are found here, instead of while connecting.
    credentialsOf(url);
    if (url.pathname.length <= 1) return url;
  } catch {
    // The error below covers it.
  }
  throw new NatsAddressError(`NATS_URL: is not valid, expected ${EXPECTED}`);
}

/** Reads credentials as NATS' own tools do: `user:password@`, or a single token. */
function credentialsOf({ username, password }: URL): Credentials {
  if (!username) return {};
  const user = decodeURIComponent(username);
  return password ? { user, pass: decodeURIComponent(password) } : { token: user };
}

function filesOf({ searchParams }: URL): TlsOptions {
  const files: TlsOptions = {};
  for (const [name, file] of searchParams) {
    if (name === NAMESPACE) continue;
    if (!Object.hasOwn(FILES, name)) {
      const known = [...Object.keys(FILES), NAMESPACE].join(", ");
      throw new NatsAddressError(`NATS_URL: an address has an unknown parameter, expected ${known} or nothing`);
    }
    try {
      accessSync(file, constants.R_OK);
    } catch {
      throw new NatsAddressError(`NATS_URL: cannot read ${file}, expected the file that ${name} names`);
    }
    files[FILES[name as keyof typeof FILES]] = file;
  }
  return files;
}

/** The name that certificates must have. The client uses the server's name, but `localhost` for an IP address. */
function verifiedAs(urls: readonly URL[]): { host?: string } {
  const [host, ...others] = urls.map(({ hostname }) => hostname.replace(/^\[|\]$/g, "")).filter(isIP);
  if (others.length > 0)
    throw new NatsAddressError("NATS_URL: has several IP addresses with TLS, expected names of hosts");
  return host === undefined ? {} : { host };
}

/**
 * The options for connecting to these servers. The addresses are separated by commas. One `tls://` address forbids
 * plain connections.
 * @throws {NatsAddressError} when an address is invalid.
 */
export function connectionOptions(addresses: string): ConnectionOptions {
  const urls = addresses.split(",").map(read);
  const files = urls.map(filesOf).reduce((all, more) => ({ ...all, ...more }), {});
  const encrypted = urls.some(url => url.protocol === "tls:");
  if (!encrypted && Object.keys(files).length > 0)
    throw new NatsAddressError("NATS_URL: names files for TLS, expected addresses that begin with tls://");
  return {
    servers: urls.map(url => url.host),
    ...urls.map(credentialsOf).find(given => Object.keys(given).length > 0),
    ...(encrypted && { tls: { ...files, ...verifiedAs(urls) } }),
    maxReconnectAttempts: -1,
    // A restarting server may refuse a password for a moment.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
  };
}

/**
 * The prefix of an installation's message subjects, from an address's `?namespace=`. Installations that share a server
 * need different namespaces, because otherwise they call each other's services.
 * @throws {NatsAddressError} when the namespace is invalid.
 */
export function namespaceOf(addresses: string): string {
  const [namespace = USUAL, ...others] = new Set(
    addresses.split(",").flatMap(address => read(address).searchParams.getAll(NAMESPACE)),
  );
  if (ALLOWED.test(namespace) && others.length === 0) return namespace;
  throw new NatsAddressError(
    "NATS_URL: namespace takes up to 64 letters, digits, _ or -, expected one for all addresses",
  );
}
