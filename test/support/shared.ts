import type { Answer } from "./api.ts";
import type { Server } from "./server.ts";

/** What all suites of a worker share, since each would take long to make it for itself: see environment.ts. */
export interface Shared {
  /** A server with plain settings. A suite makes workspaces of its own there, and leaves the server running. */
  server(): Promise<Server>;
  /** What of an answer the OpenAPI document does not say: see described.ts. */
  undescribed(method: string, url: string, answer: Answer): Promise<string | undefined>;
}

const given = globalThis as unknown as { shared(): Shared };

export const sharedServer = (): Promise<Server> => given.shared().server();

export const undescribed: Shared["undescribed"] = (...answer) => given.shared().undescribed(...answer);
