import { route, WORKSPACE, type Route } from "./route.ts";

export const auditRoutes: Route[] = [
  route("GET", `${WORKSPACE}/audit`, "audit.list", 200, "Read who did what, newest first"),
];
