/** Routes that are served beyond those that the table of endpoints lists. */
export const ADDITIONS: ReadonlySet<string> = new Set([
  "GET /v1/notifications/stream",
  "GET /v1/workspaces/:wId/spaces/:sId/executions/stats",
  "GET /v1/workspaces/:wId/spaces/:sId/workflows/:id/versions/:from/diff/:to",
  "POST /v1/workspaces/:wId/spaces/:sId/workflows/:id/versions/:version/restore",
  "POST /v1/workspaces/:wId/spaces/:sId/workflows/:id/test",
  "POST /v1/workspaces/:wId/spaces/:sId/workflows/validate",
  "GET /v1/workspaces/:wId/audit",
]);
