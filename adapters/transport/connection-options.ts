import { accessSync, constants } from "node:fs";
import { isIP } from "node:net";
import type { ConnectionOptions, TlsOptions } from "nats";

/** A server that is gone without a word, as behind a cut cable, is noticed after two of these. */
const PING_MS = 5_000;
const RECONNECT_MS = 250;
/** A server that takes a connection and says nothing is as good as away. */
const CONNECT_MS = 5_000;
/** Files of PEM text that an address may name, as MongoDB's do. */
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

/** An address of NATS that no waiting makes good. Its message is one line, and repeats nothing that may be secret. */
export class NatsAddressError extends Error {
  override readonly name = "NatsAddressError";
}

function read(address: string): URL {
  try {
    const url = new URL(address);
    // What cannot be decoded is found here, and not while connecting.
    credentialsOf(url);
    if (url.pathname.length <= 1) return url;
  } catch {
    // Said below.
  }
  throw new NatsAddressError(`NATS_URL: is not valid, expected ${EXPECTED}`);
}

/** As NATS' own tools read them: `user:password@`, or a token alone. */
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
      throw new NatsAddressError(`NATS_URL: an address asks for what is not known, expected ${known} or nothing`);
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

/** The client compares a certificate with the name of its server, but with `localhost` where the address is a number. */
function verifiedAs(urls: readonly URL[]): { host?: string } {
  const [host, ...others] = urls.map(({ hostname }) => hostname.replace(/^\[|\]$/g, "")).filter(isIP);
  if (others.length > 0)
    throw new NatsAddressError("NATS_URL: has several IP addresses with TLS, expected names of hosts");
  return host === undefined ? {} : { host };
}

/**
 * How to connect to these servers, addresses by commas. Where one is `tls://`, plain connections are refused. NatsAddressError.
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
    // A server that restarts may refuse a password for a moment.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
  };
}

/**
 * What the subjects of an installation's messages begin with, by `?namespace=` of an address. Installations that share a server
 * take one each: else they call each other's services. NatsAddressError.
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
