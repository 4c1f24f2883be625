import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";
import type { GuardedFetch } from "../../adapters/net/port.ts";
import type { ApiDocumentReader } from "../../adapters/openapi/index.ts";
import { config } from "../../config.ts";

/** The most calls that one workspace may make from a node at the same time. */
const CONNECTIONS = 64;

/** The clients for calls of APIs. They are opened at their first use. */
export class ApiClients {
  #net: GuardedFetch | undefined;
  #reader: Promise<ApiDocumentReader> | undefined;

  get net(): GuardedFetch {
    return (this.#net ??= createGuardedFetch({ allow: config().OUTBOUND_ALLOW, connectionsPerOrigin: CONNECTIONS }));
  }

  reader(): Promise<ApiDocumentReader> {
    return (this.#reader ??= import("../../adapters/openapi/index.ts").then(module =>
      module.createApiDocumentReader(),
    ));
  }

  async close(): Promise<void> {
    await Promise.all([this.#net?.close(), (await this.#reader)?.close()]);
  }
}
