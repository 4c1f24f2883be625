import { maskerOf } from "../../core/credentials/mask.ts";
import { startTimeLimit } from "../net/time-limit.ts";
import type { KnownServer } from "./connect.ts";
import { createCredentials, type Credentials } from "./credentials.ts";
import { describeFailure } from "./describe-failure.ts";
import type { SignedFetch } from "./guarded-transport-fetch.ts";
import { CONNECT_MS } from "./limits.ts";
import { createListenStreamLimit } from "./listen-stream-limit.ts";
import type { McpTarget } from "./port.ts";
import { RecentMap } from "./recent-map.ts";
import { loadSdk } from "./sdk.ts";
import { Session } from "./session.ts";

/** What is remembered about a server across its sessions, while its target stays the same. */
interface Remembered {
  revision: string;
  credentials: Credentials;
  known?: KnownServer & { until: number };
}

const MAX_REMEMBERED = 1_000;
/** A server may learn a newer protocol, so the remembered one expires after this time. */
const KNOWN_MS = 3_600_000;
/** Errors that another way of connecting does not change. */
const FINAL = new Set(["mcp_unauthorized", "mcp_refused", "mcp_aborted", "mcp_timeout", "mcp_busy"]);

export interface SessionOpener {
  /**
   * Opens a session.
   * @throws {McpError} when that fails.
   */
  open: (target: McpTarget, signal: AbortSignal) => Promise<Session>;
  /** The secrets of a target's credential; empty if it was never used. */
  secretsOf(target: McpTarget): string[];
  forget(key: string): void;
}

/** Opens sessions with the remembered facts of their servers: the current credential, transport and protocol. */
export function createSessionOpener(options: {
  fetch: SignedFetch;
  now: () => number;
  maxListening: number;
}): SessionOpener {
  const { fetch, now } = options;
  const places = createListenStreamLimit(options.maxListening);
  const all = new RecentMap<Remembered>(MAX_REMEMBERED);

  async function rememberedOf(target: McpTarget): Promise<Remembered> {
    const sdk = await loadSdk();
    const before = all.get(target.key);
    if (before?.revision === target.revision) {
      before.credentials.adopt(target);
      return before;
    }
    const made = { revision: target.revision, credentials: createCredentials(sdk, target, fetch, now) };
    all.set(target.key, made);
    return made;
  }

  async function attempt(
    target: McpTarget,
    remembered: Remembered,
    known: KnownServer | undefined,
    signal: AbortSignal,
  ) {
    const { credentials } = remembered;
    try {
      const session = await Session.open(target, { sdk: await loadSdk(), fetch, credentials, places, known, signal });
      remembered.known ??= { kind: session.kind, earlier: !session.isModern, until: now() + KNOWN_MS };
      return session;
    } catch (error) {
      const { host } = new URL(target.url);
      throw describeFailure(error, { host, phase: "list", mask: maskerOf(credentials.secrets()) });
    }
  }

  return {
    async open(target, signal) {
      const remembered = await rememberedOf(target);
      if ((remembered.known?.until ?? 0) < now()) delete remembered.known;
      const limit = startTimeLimit(CONNECT_MS, signal);
      const { known } = remembered;
      const opening = attempt(target, remembered, known, limit.signal).catch((error: unknown) => {
        delete remembered.known;
        if (!known || FINAL.has((error as { code: string }).code)) throw error;
        return attempt(target, remembered, undefined, limit.signal);
      });
      opening.then(
        session => (limit.signal.aborted ? session.end() : undefined),
        () => undefined,
      );
      try {
        return await limit.race(opening);
      } catch (error) {
        const { host } = new URL(target.url);
        throw describeFailure(error, { host, phase: "list", mask: maskerOf(remembered.credentials.secrets()) });
      } finally {
        limit.end();
      }
    },
    secretsOf({ key, revision }) {
      const remembered = all.get(key);
      return remembered?.revision === revision ? remembered.credentials.secrets() : [];
    },
    forget: key => all.delete(key),
  };
}
