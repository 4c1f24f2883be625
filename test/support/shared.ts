import type { Browser } from "playwright-core";
import type { Answer } from "./api.ts";
import type { Server } from "./server.ts";

/** The objects that all suites of a worker share, because creating them takes long. See environment.ts. */
export interface Shared {
  /** A server with default settings. A suite creates its own workspaces there, and leaves the server running. */
  server(): Promise<Server>;
  /** A browser. A suite opens its own windows in it, and leaves it running. */
  browser(): Promise<Browser>;
  /** What the OpenAPI document does not describe of a response. See described.ts. */
  undescribed(method: string, url: string, answer: Answer): Promise<string | undefined>;
}

const given = globalThis as unknown as { shared(): Shared };

/** False in scripts and benchmarks, which share nothing. */
export const hasShared = (): boolean => "shared" in globalThis;

export const sharedServer = (): Promise<Server> => given.shared().server();

export const sharedBrowser = (): Promise<Browser> => given.shared().browser();

export const undescribed: Shared["undescribed"] = (...answer) => given.shared().undescribed(...answer);
