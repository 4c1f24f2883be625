import type { Command } from "./command.ts";
import { ACCOUNT } from "./commands/account.ts";
import { ARCHIVES } from "./commands/archives.ts";
import { BACKUPS } from "./commands/backups.ts";
import { FOLDER } from "./commands/folder.ts";
import { FILES } from "./commands/files.ts";
import { BULK } from "./commands/bulk.ts";
import { CONNECTIONS } from "./commands/connections.ts";
import { KNOWLEDGE } from "./commands/knowledge.ts";
import { MIGRATION } from "./commands/migration.ts";
import { OPERATED_WORKSPACES } from "./commands/operated-workspaces.ts";
import { PLACES } from "./commands/places.ts";
import { RUNS } from "./commands/runs.ts";
import { SECRETS } from "./commands/secrets.ts";
import { SESSIONS } from "./commands/sessions.ts";
import { TESTS } from "./commands/tests.ts";
import { TRIGGERS } from "./commands/triggers.ts";
import { USERS } from "./commands/users.ts";
import { VIEWS } from "./commands/views.ts";
import { VERSIONS } from "./commands/versions.ts";
import { WEBHOOKS } from "./commands/webhooks.ts";
import { WORKFLOWS } from "./commands/workflows.ts";

/** Every command: its arguments, its function, and its help. */
export const COMMANDS: readonly Command[] = [
  ...ACCOUNT,
  ...SESSIONS,
  ...PLACES,
  ...ARCHIVES,
  ...WORKFLOWS,
  ...FOLDER,
  ...TESTS,
  ...VERSIONS,
  ...RUNS,
  ...VIEWS,
  ...BULK,
  ...TRIGGERS,
  ...WEBHOOKS,
  ...CONNECTIONS,
  ...KNOWLEDGE,
  ...FILES,
  ...BACKUPS,
  ...MIGRATION,
  ...SECRETS,
  ...USERS,
  ...OPERATED_WORKSPACES,
];
