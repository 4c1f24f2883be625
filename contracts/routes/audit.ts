import { route, WORKSPACE } from "./route.ts";

export const auditRoutes = [route("GET", `${WORKSPACE}/audit`, "audit.list", 200, "Read who did what, newest first")];
