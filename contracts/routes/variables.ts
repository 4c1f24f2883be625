import { route, SPACE, WORKSPACE } from "./route.ts";

const errors = ["payload_too_large", "conflict"] as const;

export const variablesRoutes = [
  route("GET", `${WORKSPACE}/variables`, "variables.get", 200, "Read the variables of a workspace"),
  route("PATCH", `${WORKSPACE}/variables`, "variables.update", 200, "Set or remove variables of a workspace", {
    errors: [...errors],
  }),
  route("GET", `${SPACE}/variables`, "variables.ofSpace.get", 200, "Read the variables of a space"),
  route("PATCH", `${SPACE}/variables`, "variables.ofSpace.update", 200, "Set or remove variables of a space", {
    errors: [...errors],
  }),
];
