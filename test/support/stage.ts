import { type Api, newWorkspace } from "./api.ts";
import { Ledger } from "./ledger.ts";
import type { Server } from "./server.ts";
import { sharedServer } from "./shared.ts";

/** The environment for a suite about runs: the shared server with a workspace, and a server that steps call. */
export interface Stage {
  server: Server;
  api: Api;
  space: string;
  ledger: Ledger;
}

export async function openStage(): Promise<Stage> {
  const server = await sharedServer();
  const ledger = await Ledger.open();
  return { server, ledger, ...(await newWorkspace(server.url)) };
}
