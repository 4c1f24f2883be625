import { type Api, newWorkspace } from "./api.ts";
import { Ledger } from "./ledger.ts";
import { removeServer, type Server, startServer } from "./server.ts";

/** What a suite about runs plays on: a server with a workspace, and somebody whom steps call. */
export interface Stage {
  server: Server;
  api: Api;
  space: string;
  ledger: Ledger;
}

export async function openStage(): Promise<Stage> {
  const ledger = await Ledger.open();
  const server = await startServer({ env: { OUTBOUND_ALLOW: "127.0.0.1" } });
  return { server, ledger, ...(await newWorkspace(server.url)) };
}

export async function closeStage({ server, ledger }: Pick<Stage, "server" | "ledger">): Promise<void> {
  await removeServer(server);
  await ledger.close();
}
