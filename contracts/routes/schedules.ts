import { IF_MATCH, route, SPACE, WORKSPACE } from "./route.ts";

const SCHEDULES = `${SPACE}/schedules`;

export const schedulesRoutes = [
  route("POST", SCHEDULES, "schedules.create", 201, "Create a schedule for a workflow", {
    etag: "numbered",
    errors: ["slug_taken", "workflow_trashed", "limit_reached"],
  }),
  route("POST", `${SCHEDULES}/preview`, "schedules.preview", 200, "Preview the next times of a cron expression", {
    // The call changes nothing.
    audited: false,
  }),
  route("GET", SCHEDULES, "schedules.list", 200, "List schedules"),
  route("GET", `${WORKSPACE}/schedules`, "schedules.listAll", 200, "List the schedules of all spaces"),
  route("GET", `${SCHEDULES}/:id`, "schedules.read", 200, "Get a schedule", { etag: "numbered" }),
  route("POST", `${SCHEDULES}/:id/run`, "schedules.run", 201, "Start a run of a schedule now", {
    errors: ["workflow_trashed", "quota_exceeded"],
  }),
  route("PATCH", `${SCHEDULES}/:id`, "schedules.update", 200, "Change a schedule", {
    etag: "numbered",
    headers: IF_MATCH,
    errors: ["precondition_failed", "conflict"],
  }),
  route("DELETE", `${SCHEDULES}/:id`, "schedules.remove", 204, "Delete a schedule", {
    headers: IF_MATCH,
    errors: ["precondition_failed", "conflict"],
  }),
];
