import { route, SPACE, WORKSPACE } from "./route.ts";

const SCHEDULES = `${SPACE}/schedules`;

export const schedulesRoutes = [
  route("POST", SCHEDULES, "schedules.create", 201, "Create a schedule for a workflow", {
    errors: ["workflow_trashed", "limit_reached"],
  }),
  route("GET", SCHEDULES, "schedules.list", 200, "List schedules"),
  route("GET", `${WORKSPACE}/schedules`, "schedules.listAll", 200, "List the schedules of all spaces"),
  route("PATCH", `${SCHEDULES}/:id`, "schedules.update", 200, "Change a schedule", { errors: ["conflict"] }),
  route("DELETE", `${SCHEDULES}/:id`, "schedules.remove", 204, "Delete a schedule"),
];
