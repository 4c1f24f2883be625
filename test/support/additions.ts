/** Routes that are served beyond those that the table of endpoints lists. */
export const ADDITIONS: ReadonlySet<string> = new Set([
  "GET /v1/notifications/stream",
  "GET /v1/workspaces/:wId/spaces/:sId/executions/stats",
  "GET /v1/workspaces/:wId/spaces/:sId/workflows/:id/versions/:from/diff/:to",
  "POST /v1/workspaces/:wId/spaces/:sId/workflows/:id/versions/:version/restore",
  "POST /v1/workspaces/:wId/spaces/:sId/workflows/:id/test",
  "POST /v1/workspaces/:wId/spaces/:sId/workflows/validate",
  "GET /v1/workspaces/:wId/audit",
  "GET /v1/workspaces/:wId/knowledge-bases/:id/entries/:entryId",
  "POST /v1/workspaces/:wId/knowledge-bases/:id/entries/import",
  "GET /v1/workspaces/:wId/knowledge-bases/:id/entries/import",
  "GET /v1/workspaces/:wId/knowledge-bases/:id/entries/import/:importId",
  "GET /workspaces/:wId/knowledge/:id/entries/:eId",
  "POST /workspaces/:wId/knowledge/:id/entries/import",
  "GET /workspaces/:wId/knowledge/:id/entries/import",
  "GET /workspaces/:wId/knowledge/:id/entries/import/:importId",
]);
