// The SDK's definition of the service. `npm run sdk` replaces this file by a generated one, so that the package depends
// on the service neither at run time nor for its types.
import type { InputOf, OutputOf } from "../contracts/actions.ts";
import type { LogEntry, StepWords } from "../contracts/entities/execution.ts";
import type { WorkspaceEvent, WorkspaceEventName } from "../contracts/entities/workspace-event.ts";
import type { Notification } from "../contracts/entities/notification.ts";
import { IMPORT_EXTENSIONS } from "../contracts/import-types.ts";
import {
  GATEWAY_ROUTES,
  type GatewayRoute,
  pathVariables,
  type Route,
  type RoutedAction,
  ROUTES,
  takesIdempotencyKey,
} from "../contracts/routes.ts";
import type { Endpoint } from "./endpoint.ts";

/** The sender sets the headers and the query of a delivery, and the workflow sets its response. */
interface Delivery {
  input: Omit<InputOf<"webhooks.trigger">, "headers" | "query" | "token">;
  output: unknown;
}

/** Fields that the gateway sets. Clients cannot set them. */
type Hidden = "upload" | "session" | "userAgent";

/** The part of an input that a client sets. */
type ClientInput<I> = Hidden & keyof I extends never
  ? I
  : Exclude<keyof I, Hidden> extends never
    ? Record<string, never>
    : Omit<I, Hidden>;

/** Calls whose bodies are files. The client sends them with `files.upload` and `executions.uploadFile`. */
type Sent = "files.create" | "executions.files.add";

/** The input and the output of each call. */
export type Calls = {
  [N in Exclude<RoutedAction, Sent>]: N extends "webhooks.trigger"
    ? Delivery
    : { input: ClientInput<InputOf<N>>; output: OutputOf<N> };
};

/** The types of files that can be imported, by file name extension. */
export const FILE_TYPES: Readonly<Record<string, string>> = IMPORT_EXTENSIONS;

/** The input of each event stream, and the data of its events. */
export interface Streams {
  "executions.events": {
    input: {
      workspaceId: string;
      spaceId: string;
      id: string;
      payloads?: boolean | undefined;
      deltas?: boolean | undefined;
    };
    data: LogEntry;
  };
  "workspaces.events": {
    input: { workspaceId: string; only?: WorkspaceEventName | WorkspaceEventName[] | undefined };
    data: WorkspaceEvent;
  };
  "notifications.stream": { input: Record<string, never>; data: Notification };
}

const endpoint = (method: Endpoint["method"], path: string, more: Partial<Endpoint> = {}): Endpoint => ({
  method,
  path,
  variables: pathVariables(path),
  headers: {},
  creates: false,
  delivery: false,
  ...more,
});

/** If several routes call the same action, the SDK uses the first. */
export const CALLED: readonly Route[] = [...Map.groupBy(ROUTES, ({ action }) => action).values()].flatMap(([first]) =>
  first && first.upload?.types !== "any" ? first : [],
);

export const ENDPOINTS: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  CALLED.map(route => {
    const { action, method, path, headers, wholeBody, delivery } = route;
    const variables = pathVariables(path, route.variables);
    const body = wholeBody === undefined ? {} : { wholeBody };
    return [
      action,
      endpoint(method, path, { variables, headers, ...body, creates: takesIdempotencyKey(route), delivery }),
    ];
  }),
);

/** A route that the gateway serves itself. */
function stream(name: GatewayRoute["name"]): Endpoint {
  const { path = "", query } = GATEWAY_ROUTES.find(route => route.name === name) ?? {};
  return endpoint("GET", path, query && { query });
}

export const STREAM_ENDPOINTS: Readonly<Record<keyof Streams, Endpoint>> = {
  "executions.events": stream("events"),
  "workspaces.events": stream("workspaceEvents"),
  "notifications.stream": stream("notifications"),
};

const pathTo = (wanted: RoutedAction) => ROUTES.find(({ action }) => action === wanted)?.path ?? "";

type FileCall = "files.upload" | "executions.uploadFile" | "files.download" | "workspaces.export";

/** The calls whose requests or responses are files. */
export const FILE_ENDPOINTS: Readonly<Record<FileCall, Endpoint>> = {
  "files.upload": endpoint("POST", pathTo("files.create"), { creates: true }),
  "executions.uploadFile": endpoint("POST", pathTo("executions.files.add"), { creates: true }),
  "files.download": stream("file"),
  "workspaces.export": stream("workspaceExport"),
};

export type { WorkspaceEvent, WorkspaceEventName } from "../contracts/entities/workspace-event.ts";
export type { ArchiveRecord } from "../contracts/entities/archive.ts";
export type { ErrorCode, Fault } from "../contracts/errors.ts";
export type { StoredFile } from "../contracts/entities/file.ts";
export type { Change } from "../contracts/entities/workflow-diff.ts";
export type { ImportWarning } from "../contracts/entities/workflow-document.ts";
export type { CheckedFault, DefinitionFault } from "../contracts/entities/workflow.ts";
export type {
  FoundMemory,
  Ingested,
  IngestPreview,
  Memory,
  MemoryContext,
  MemoryEvent,
  MemorySubject,
} from "../contracts/entities/memory.ts";
export type {
  KnowledgeBase,
  KnowledgeEntry,
  KnowledgeImport,
  KnowledgeMatch,
} from "../contracts/entities/knowledge.ts";
export type { Api } from "../contracts/entities/api.ts";
export type {
  FoundTool as FoundMcpTool,
  McpServer,
  McpTool,
  ToolChange as McpToolChange,
  ToolResult as McpToolResult,
  ToolUser as McpToolUser,
} from "../contracts/entities/mcp-server.ts";

export type { NewWebhookRespond, WebhookRespond } from "../contracts/entities/webhook.ts";
export type { WebhookAuth } from "../contracts/entities/webhook-auth.ts";

type Output<N extends RoutedAction> = OutputOf<N>;
type Item<N extends RoutedAction> = OutputOf<N> extends { items: (infer T)[] } ? T : never;

export type AddressConfirmed = Output<"identity.email.confirm">;
export type AccountEvent = Item<"identity.events">;
export type AnsweredQuestion = Item<"executions.answers">;
export type ApiKey = Item<"identity.apiKeys.list">;
export type AuditEntry = Item<"audit.list">;
export type Credential = Output<"credentials.get">;
export type CredentialType = Output<"credentials.types">["types"][number];
export type CredentialTest = Output<"credentials.test">;
export type DocumentCheck = Output<"workflows.check">;
export type BrowserSession = Output<"identity.browser.login">;
export type CommandCode = Output<"identity.browser.commandCode">;
export type Execution = Output<"executions.get">;
export type ExecutionMatches = Output<"executions.search">;
export type ExecutionStats = Output<"executions.stats">;
export type ExecutionStep = Item<"executions.steps">;
export type ExecutionSummary = Item<"executions.list">;
export type Factors = Output<"identity.factors.read">;
export type Imported = Output<"workspaces.import">;
export type ImportedWorkflow = Output<"workflows.import">;
export type GroupRoles = Output<"workspaces.sso.read">;
export type GroupRole = GroupRoles["groups"][number];
export type Installation = Output<"identity.installation">;
export type Invite = Item<"workspaces.invites.list">;
export type InviteOffer = Output<"workspaces.invites.read">;
export type KnowledgeBaseSummary = Item<"knowledge.list">;
export type LinkedProvider = Item<"identity.providers.list">;
export type Member = Item<"workspaces.members">;
export type NewPasskey = Output<"identity.passkeys.finish">;
export type NewApiKey = Output<"identity.apiKeys.create">;
export type NewInvite = Output<"workspaces.invites.create">;
export type NewWebhookAuth = NonNullable<InputOf<"webhooks.create">["auth"]>;
export type NewWebhook = Output<"webhooks.create">;
export type Profile = Output<"identity.me">;
export type NewTotp = Output<"identity.factors.beginTotp">;
export type RecoveryCodes = Output<"identity.factors.confirmTotp">;
export type NodeTypes = Output<"workflows.nodeTypes">;
export type NodeType = NodeTypes["types"][number];
export type LimitUsed = Usage["limits"][number];
export type OperatedUser = Output<"identity.operator.users.get">;
export type Quotas = Output<"workspaces.operator.getQuotas">;
export type Usage = Output<"workspaces.usage">;
export type OperatedWorkspace = Output<"workspaces.operator.get">;
export type OperatorStatus = Output<"identity.operator.status">;
export type OpenQuestion = Item<"executions.questions">;
export type Passkey = Output<"identity.passkeys.rename">;
export type PasskeyAttempt = Output<"identity.passkeys.begin">;
export type Pod = Output<"pods.get">;
export type RetryPlan = Output<"executions.retryPlan">;
export type RunComparison = Output<"executions.compare">;
export type Deployment = Item<"workflows.deployments">;
export type WorkflowCaller = Item<"workflows.callers">;
export type WorkflowPresence = Output<"workflows.presence.get">;
export type Provider = Installation["sso"][number];
export type ProviderVisit = Output<"identity.providers.begin">;
export type PreviewedValue = Output<"executions.preview">[number];
export type Sample = Item<"workflows.samples.list">;
export type BulkJob = Output<"executions.bulk.get">;
export type Mock = Exclude<NonNullable<InputOf<"executions.testRun">["mocks"]>[string], unknown[]>;
export type TestRun = Output<"executions.testRun">;
export type TestRunStep = TestRun["steps"][number];
export type WorkflowDraft = NonNullable<Output<"workflows.drafts.get">>;
export type SavedView = Item<"workspaces.views.list">;
export type Schedule = Item<"schedules.list">;
export type Session = Item<"identity.sessions.list">;
export type SignedIn = Output<"identity.login">;
export type Space = Output<"pods.spaces.get">;
export type StepOutput = Output<"executions.output">;
export type StepTest = Output<"executions.test">;
export type Template = Item<"workflows.templates">;
export type User = SignedIn["user"];
export type Validation = Output<"workflows.validate">;
export type Variables = Output<"variables.get">;
export type Webhook = Item<"webhooks.list">;
export type WebhookDelivery = Item<"webhooks.deliveries">;
export type WebhookTest = Output<"webhooks.test">;
export type Workflow = Output<"workflows.get">;
export type WorkflowListing = Item<"workflows.listAll">;
export type WorkflowDiff = Output<"workflows.diff">;
export type WorkflowDocument = Output<"workflows.export">;
export type WorkflowVersion = Output<"workflows.version">;
export type Workspace = Output<"workspaces.get">;
export type FoundInWorkspace = Output<"workspaces.search">;
export type Found = FoundInWorkspace["items"][number];
export type WorkspaceSummary = Output<"workspaces.summary">;
export type { LogEntry, Notification, StepWords };
