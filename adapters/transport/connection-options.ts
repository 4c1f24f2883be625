import type { ConnectionOptions } from "nats";

/** A server that is gone without a word, as behind a cut cable, is noticed after two of these. */
const PING_MS = 5_000;
const RECONNECT_MS = 250;

interface Credentials {
  user?: string;
  pass?: string;
  token?: string;
}

/** As NATS' own tools read them: `user:password@`, or a token alone. */
function credentialsOf({ username, password }: URL): Credentials {
  if (!username) return {};
  const user = decodeURIComponent(username);
  return password ? { user, pass: decodeURIComponent(password) } : { token: user };
}

/** How to connect to these servers, addresses by commas. Where one is `tls://`, plain connections are refused. */
export function connectionOptions(addresses: string): ConnectionOptions {
  const urls = addresses.split(",").map(address => new URL(address));
  return {
    servers: urls.map(url => url.host),
    ...urls.map(credentialsOf).find(given => Object.keys(given).length > 0),
    ...(urls.some(url => url.protocol === "tls:") && { tls: {} }),
    maxReconnectAttempts: -1,
    // A server that restarts may refuse a password for a moment.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
  };
}
