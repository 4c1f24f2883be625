import type { ErrorCode } from "../errors.ts";
import { IF_MATCH, route, SPACE, WORKSPACE } from "./route.ts";

const changes = {
  etag: "numbered" as const,
  headers: IF_MATCH,
  errors: ["payload_too_large", "precondition_failed", "conflict"] as ErrorCode[],
};

export const variablesRoutes = [
  route("GET", `${WORKSPACE}/variables`, "variables.get", 200, "Read the variables of a workspace", {
    etag: "numbered",
  }),
  route("PATCH", `${WORKSPACE}/variables`, "variables.update", 200, "Set or remove variables of a workspace", changes),
  route("GET", `${SPACE}/variables`, "variables.ofSpace.get", 200, "Read the variables of a space", {
    etag: "numbered",
  }),
  route("PATCH", `${SPACE}/variables`, "variables.ofSpace.update", 200, "Set or remove variables of a space", changes),
];
