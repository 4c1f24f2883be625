import type { ServiceBroker } from "moleculer";
import { once } from "../../core/once.ts";
import type { Files } from "../../service-kit/files.ts";
import { answerDocs } from "./docs/answer.ts";
import type { EventStreams } from "./events/event-streams.ts";
import { type ExecutionPath, executionSubject } from "./events/execution-feed.ts";
import { notificationSubject } from "./events/notification-feed.ts";
import type { WorkspaceHubs, WorkspacePath } from "./events/workspace-feed.ts";
import type { Exchange } from "./http/exchange.ts";
import type { Health } from "./health.ts";
import type { McpEndpoint } from "./mcp/endpoint.ts";
import { ResumePage } from "./resume-page.ts";
import { sendFile } from "./request/send-file.ts";
import type { OwnAnswers } from "./targets.ts";

const openApi = once(async () => {
  const { openApiDocument } = await import("./openapi/document.ts");
  return Buffer.from(JSON.stringify(openApiDocument()));
});
interface AnswerParts {
  broker: ServiceBroker;
  streams: EventStreams;
  hubs: WorkspaceHubs;
  health: Health;
  mcp: McpEndpoint;
  files: Files;
}

/** The gateway's own answers, for the routes that lead to no action. */
export function ownAnswers({ broker, streams, hubs, health, mcp, files }: AnswerParts): OwnAnswers {
  return {
    events: (x, input) => streams.answer(x, executionSubject(broker, input as unknown as ExecutionPath)),
    workspaceEvents: (x, input) => streams.answer(x, hubs.subject(input as unknown as WorkspacePath)),
    file: (x, input) => sendFile(x, input, broker, files),
    workspaceExport: async (x, input, callers) => {
      const { sendArchive } = await import("./archive/send-archive.ts");
      return sendArchive(x, input, broker, () => callers.recheck(x));
    },
    notifications: x => streams.answer(x, notificationSubject(broker)),
    mcp: (x, input, callers) => mcp.answer(x, input, callers),
    workspaceMcp: (x, input, callers) => mcp.answer(x, input, callers),
    oauthCallback: async x => (await import("./oauth-callback.ts")).answerCallback(x, broker),
    ssoLogout: async (x, input) => (await import("./sso-logout.ts")).answerSsoLogout(x, input, broker),
    resumePage: x => new ResumePage(x, broker).ask(),
    live: (x: Exchange) => x.json(200, { status: "ok" }),
    ready: async (x: Exchange) => {
      const readiness = await health.ready();
      x.json(readiness.status === "down" ? 503 : 200, readiness);
    },
    openapi: async (x: Exchange) => x.send(200, "application/json; charset=utf-8", await openApi()),
    docs: answerDocs,
    docsPage: answerDocs,
    docsSection: answerDocs,
  };
}
