import type { ServiceBroker } from "moleculer";
import type { Files } from "../../service-kit/files.ts";
import { answerDocs } from "./docs/answer.ts";
import type { EventStreams } from "./events/event-streams.ts";
import { type ExecutionPath, executionSubject } from "./events/execution-feed.ts";
import { notificationSubject } from "./events/notification-feed.ts";
import type { WorkspaceHubs, WorkspacePath } from "./events/workspace-feed.ts";
import type { Exchange } from "./http/exchange.ts";
import type { Health } from "./health.ts";
import type { McpEndpoint } from "./mcp/endpoint.ts";
import { answerCallback } from "./oauth-callback.ts";
import { ResumePage } from "./resume-page.ts";
import { answerSsoLogout } from "./sso-logout.ts";
import { openApiDocument } from "./openapi/document.ts";
import { sendArchive } from "./archive/send-archive.ts";
import { sendFile } from "./request/send-file.ts";
import type { OwnAnswers } from "./targets.ts";

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

const openApi = once(() => Buffer.from(JSON.stringify(openApiDocument())));
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
    workspaceExport: (x, input, callers) => sendArchive(x, input, broker, () => callers.recheck(x)),
    notifications: x => streams.answer(x, notificationSubject(broker)),
    mcp: (x, input, callers) => mcp.answer(x, input, callers),
    workspaceMcp: (x, input, callers) => mcp.answer(x, input, callers),
    oauthCallback: x => answerCallback(x, broker),
    ssoLogout: (x, input) => answerSsoLogout(x, input, broker),
    resumePage: x => new ResumePage(x, broker).ask(),
    live: (x: Exchange) => x.json(200, { status: "ok" }),
    ready: async (x: Exchange) => {
      const readiness = await health.ready();
      x.json(readiness.status === "down" ? 503 : 200, readiness);
    },
    openapi: (x: Exchange) => x.send(200, "application/json; charset=utf-8", openApi()),
    docs: answerDocs,
    docsPage: answerDocs,
    docsSection: answerDocs,
  };
}
