import { route, WORKSPACE } from "./route.ts";

export const auditRoutes = [
  route("GET", `${WORKSPACE}/audit`, "audit.list", 200, "Read the audit log, newest entry first"),
];
