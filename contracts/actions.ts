import type { z } from "zod";
import { auditActions } from "./actions/audit.ts";
import { credentialsActions } from "./actions/credentials.ts";
import { executionBulkActions } from "./actions/execution-bulk.ts";
import { executionTrialsActions } from "./actions/execution-trials.ts";
import { executionViewActions } from "./actions/execution-views.ts";
import { executionsActions } from "./actions/executions.ts";
import { filesActions } from "./actions/files.ts";
import { idempotencyActions } from "./actions/idempotency.ts";
import { identityActions } from "./actions/identity.ts";
import { knowledgeActions } from "./actions/knowledge.ts";
import { apisActions } from "./actions/apis.ts";
import { mcpActions } from "./actions/mcp.ts";
import { memoryActions } from "./actions/memory.ts";
import { modelsActions } from "./actions/models.ts";
import { notificationsActions } from "./actions/notifications.ts";
import { passkeysActions } from "./actions/passkeys.ts";
import { operatorActions } from "./actions/operator.ts";
import { podsActions } from "./actions/pods.ts";
import { schedulesActions } from "./actions/schedules.ts";
import { ssoActions } from "./actions/sso.ts";
import { signalsActions } from "./actions/signals.ts";
import { variablesActions } from "./actions/variables.ts";
import { webhooksActions } from "./actions/webhooks.ts";
import { workflowDraftsActions } from "./actions/workflow-drafts.ts";
import { workflowsActions } from "./actions/workflows.ts";
import { workspacesActions } from "./actions/workspaces.ts";
import type { ActionContract } from "./define-action.ts";

/** Every action of the system: its access rule, its input and its output. */
export const ACTIONS = {
  ...identityActions,
  ...ssoActions,
  ...passkeysActions,
  ...workspacesActions,
  ...operatorActions,
  ...podsActions,
  ...workflowsActions,
  ...workflowDraftsActions,
  ...executionsActions,
  ...executionBulkActions,
  ...executionTrialsActions,
  ...executionViewActions,
  ...signalsActions,
  ...schedulesActions,
  ...webhooksActions,
  ...credentialsActions,
  ...variablesActions,
  ...auditActions,
  ...idempotencyActions,
  ...notificationsActions,
  ...modelsActions,
  ...memoryActions,
  ...knowledgeActions,
  ...mcpActions,
  ...apisActions,
  ...filesActions,
} satisfies Record<string, ActionContract>;

export type ActionName = keyof typeof ACTIONS;
/** The input that a caller writes. Fields with defaults may be left out. */
export type InputOf<N extends ActionName> = z.input<(typeof ACTIONS)[N]["input"]>;
/** The input that a handler reads. It is checked, and defaults are filled in. */
export type ParamsOf<N extends ActionName> = z.output<(typeof ACTIONS)[N]["input"]>;
export type OutputOf<N extends ActionName> = z.output<(typeof ACTIONS)[N]["output"]>;

export function contractOf(name: string): ActionContract | undefined {
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name as ActionName] : undefined;
}
