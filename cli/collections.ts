import * as jobs from "../adapters/jobs/job-documents.ts";
import * as words from "../adapters/search/word-mirror.ts";
import * as kept from "../adapters/secrets/hash-key.ts";
import type { CollectionSpec } from "../adapters/store/port.ts";
import * as audit from "../services/audit/model.ts";
import * as credentials from "../services/credentials/model.ts";
import * as executions from "../services/executions/store/model.ts";
import * as bulk from "../services/executions/store/bulk-model.ts";
import * as labels from "../services/executions/store/labels.ts";
import * as signals from "../services/executions/store/signal-model.ts";
import * as stats from "../services/executions/stats/model.ts";
import * as files from "../services/files/model.ts";
import * as idempotency from "../services/idempotency/model.ts";
import * as identity from "../services/identity/model.ts";
import * as knowledge from "../services/knowledge/model.ts";
import * as mcp from "../services/mcp/model.ts";
import * as memory from "../services/memory/model.ts";
import * as notifications from "../services/notifications/model.ts";
import * as mail from "../services/notifications/mail/model.ts";
import * as pods from "../services/pods/model.ts";
import * as schedules from "../services/schedules/model.ts";
import * as variables from "../services/variables/model.ts";
import * as webhooks from "../services/webhooks/model.ts";
import * as workflows from "../services/workflows/model.ts";
import * as deployments from "../services/workflows/deployment-model.ts";
import * as presence from "../services/workflows/presence.ts";
import * as drafts from "../services/workflows/draft-model.ts";
import * as tools from "../services/workflows/tool-model.ts";
import * as notices from "../services/workspaces/membership-notices.ts";
import * as workspaces from "../services/workspaces/model.ts";
import * as usages from "../services/workspaces/usage-model.ts";
import { JobDocs } from "../adapters/jobs/job-documents.ts";
import { searchWords } from "../adapters/search/word-mirror.ts";

const MODELS: readonly Record<string, unknown>[] = [
  ...[
    identity,
    kept,
    workspaces,
    notices,
    usages,
    pods,
    workflows,
    drafts,
    deployments,
    presence,
    tools,
    schedules,
    webhooks,
    executions,
    bulk,
    labels,
    signals,
    stats,
  ],
  ...[credentials, variables, memory, knowledge, mcp, words, notifications, mail, audit, idempotency, files, jobs],
];

const isCollection = (value: unknown): value is CollectionSpec =>
  typeof value === "object" && value !== null && "layout" in value && "schema" in value;

/** Every collection of Weft, for commands that work on the whole store. */
export const COLLECTIONS: readonly CollectionSpec[] = MODELS.flatMap(model =>
  Object.values(model).filter(isCollection),
);

/**
 * Collections that Weft recreates if they are missing: the state of its periodic jobs, and the words of the search
 * index.
 */
export const DERIVED: readonly CollectionSpec[] = [JobDocs, searchWords];
