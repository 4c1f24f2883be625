import { account } from "./en-account.ts";

/**
 * The words for each action in the audit log. They are infinitives, because the outcome is beside them. A test compares
 * the keys with the actions that the service records.
 */
const ACTIONS: Readonly<Record<string, string>> = {
  "workspaces.create": "Create the workspace",
  "workspaces.update": "Change the workspace",
  "workspaces.remove": "Delete the workspace",
  "workspaces.export": "Export the workspace",
  "workspaces.import": "Import records from an archive",
  "workspaces.updateMember": "Change the role of a member",
  "workspaces.removeMember": "Remove a member",
  "workspaces.invites.create": "Invite a person",
  "workspaces.invites.remove": "Revoke an invite",
  "workspaces.invites.accept": "Accept an invite",
  "workspaces.invites.decline": "Decline an invite",
  "workspaces.sso.update": "Change which groups of providers give a role",
  "workspaces.views.create": "Save a view",
  "workspaces.views.update": "Change a saved view",
  "workspaces.views.remove": "Delete a saved view",
  "workspaces.operator.remove": "Delete the workspace, as operator",
  "workspaces.operator.setQuotas": "Change the quotas, as operator",
  "workspaces.operator.setOwner": "Replace the owner, as operator",
  "groups.role_given": "Get a role from a group of a provider",
  "groups.role_taken": "Lose a role from a group of a provider",
  "groups.role_managed": "Leave the role to a group of a provider",
  "identity.apiKeys.create": "Create an API key",
  "identity.apiKeys.rotate": "Replace an API key",
  "identity.apiKeys.remove": "Revoke an API key",
  "pods.create": "Create a pod",
  "pods.update": "Change a pod",
  "pods.remove": "Delete a pod",
  "pods.spaces.create": "Create a space",
  "pods.spaces.update": "Rename a space",
  "pods.spaces.remove": "Delete a space",
  "workflows.create": "Create a workflow",
  "workflows.update": "Change a workflow",
  "workflows.remove": "Delete a workflow for good",
  "workflows.deploy": "Deploy a workflow",
  "workflows.star": "Star or unstar a workflow",
  "workflows.trash": "Move a workflow to the trash",
  "workflows.restore": "Restore a workflow from the trash",
  "workflows.restoreVersion": "Restore a version of a workflow",
  "workflows.duplicate": "Duplicate a workflow",
  "workflows.import": "Import a workflow",
  "workflows.check": "Check a workflow file",
  "workflows.fromTemplate": "Use a template",
  "workflows.validate": "Check a workflow",
  "workflows.presence.report": "Open a workflow",
  "workflows.presence.end": "Close a workflow",
  "workflows.samples.update": "Pin the output of a step",
  "workflows.samples.remove": "Unpin the output of a step",
  "workflows.drafts.update": "Save a draft",
  "workflows.drafts.remove": "Remove a draft",
  "executions.start": "Start a run",
  "executions.testRun": "Test a workflow",
  "executions.test": "Test a step",
  "executions.preview": "Preview expressions",
  "executions.signal": "Send a signal to runs",
  "executions.update": "Change the labels or note of a run",
  "executions.respond": "Answer a run",
  "executions.link.answer": "Answer a run with a link",
  "executions.approve": "Approve a run",
  "executions.files.add": "Upload a file for an answer",
  "executions.files.begin": "Start to upload a file for an answer",
  "executions.cancel": "Cancel a run",
  "executions.retry": "Retry a run",
  "executions.bulk.start": "Cancel, retry or delete many runs",
  "executions.bulk.cancel": "Cancel a bulk job",
  "schedules.create": "Create a schedule",
  "schedules.preview": "Preview a schedule",
  "schedules.run": "Run a schedule now",
  "schedules.update": "Change a schedule",
  "schedules.remove": "Delete a schedule",
  "webhooks.create": "Create a webhook",
  "webhooks.update": "Change a webhook",
  "webhooks.rotateSecret": "Replace the secret of a webhook",
  "webhooks.test": "Test a webhook",
  "webhooks.remove": "Delete a webhook",
  "credentials.create": "Create a credential",
  "credentials.update": "Change a credential",
  "credentials.remove": "Delete a credential",
  "credentials.authorize": "Authorize a credential",
  "credentials.test": "Test a credential",
  "variables.update": "Change variables of the workspace",
  "variables.ofSpace.update": "Change variables of a space",
  "memory.ingest": "Remember facts from a text",
  "memory.preview": "Preview the facts from a text",
  "memory.search": "Search memories",
  "memory.context": "Assemble memories for a prompt",
  "memory.create": "Add a memory",
  "memory.remove": "Delete a memory",
  "memory.restore": "Restore a memory",
  "knowledge.create": "Create a knowledge base",
  "knowledge.update": "Change a knowledge base",
  "knowledge.remove": "Delete a knowledge base",
  "knowledge.entries.create": "Add an entry to a knowledge base",
  "knowledge.entries.remove": "Remove an entry from a knowledge base",
  "knowledge.imports.create": "Import a file into a knowledge base",
  "knowledge.imports.cancel": "Cancel an import",
  "knowledge.imports.retry": "Retry an import",
  "knowledge.uploads.begin": "Start to import a file into a knowledge base",
  "knowledge.search": "Search a knowledge base",
  "knowledge.searchByKeywords": "Search a knowledge base by words",
  "mcp.create": "Add a tool server",
  "mcp.update": "Change a tool server",
  "mcp.remove": "Delete a tool server",
  "mcp.sync": "Sync the tools of a server",
  "mcp.tools.search": "Search tools",
  "mcp.tools.call": "Call a tool",
  "mcp.apis.create": "Add an API",
  "mcp.apis.update": "Change an API",
  "mcp.apis.remove": "Delete an API",
  "mcp.apis.sync": "Read the document of an API again",
  "files.create": "Upload a file",
  "files.begin": "Start to upload a file",
  "files.remove": "Delete a file",
};

/** Sign-ins and similar events use the words of the user's own activity log. */
const EVENTS = Object.entries(account.activity.types).map(([type, text]) => [`account.${type}`, text] as const);

export const auditActions: ReadonlyMap<string, string> = new Map([...Object.entries(ACTIONS), ...EVENTS]);

/**
 * Finds the action that a user typed: by its name, by its words, or by a part that only one action contains. A text
 * with a dot that matches no single action is taken as the name of one. Undefined if the text is ambiguous or unknown.
 */
export function actionOf(typed: string): string | undefined {
  const text = typed.trim().toLowerCase();
  const all = [...auditActions];
  const exact = all.find(([code, words]) => code.toLowerCase() === text || words.toLowerCase() === text);
  if (exact) return exact[0];
  const alike = all.filter(([code, words]) => `${code} ${words}`.toLowerCase().includes(text));
  if (alike.length === 1) return alike[0]![0];
  return text.includes(".") ? typed.trim() : undefined;
}

/** The words for an action. An action that this page does not know is shown by its name. */
export const actionText = (action: string): string => auditActions.get(action) ?? action;
