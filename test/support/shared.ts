import type { Browser } from "playwright-core";
import type { Answer } from "./api.ts";
import type { Server } from "./server.ts";

/** What all suites of a worker share, since each would take long to make it for itself: see environment.ts. */
export interface Shared {
  /** A server with plain settings. A suite makes workspaces of its own there, and leaves the server running. */
  server(): Promise<Server>;
  /** A browser. A suite opens windows of its own in it, and leaves it running. */
  browser(): Promise<Browser>;
  /** What of an answer the OpenAPI document does not say: see described.ts. */
  undescribed(method: string, url: string, answer: Answer): Promise<string | undefined>;
}

const given = globalThis as unknown as { shared(): Shared };

/** False in scripts and benchmarks, which share nothing. */
export const hasShared = (): boolean => "shared" in globalThis;

export const sharedServer = (): Promise<Server> => given.shared().server();

export const sharedBrowser = (): Promise<Browser> => given.shared().browser();

export const undescribed: Shared["undescribed"] = (...answer) => given.shared().undescribed(...answer);
