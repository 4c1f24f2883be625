import { route, WORKSPACE } from "./route.ts";

export const podsRoutes = [
  route("POST", `${WORKSPACE}/pods`, "pods.create", 201, "Create a pod with its default space"),
  route("GET", `${WORKSPACE}/pods`, "pods.list", 200, "List pods"),
  route("GET", `${WORKSPACE}/pods/:podId`, "pods.get", 200, "Read a pod"),
  route("PATCH", `${WORKSPACE}/pods/:podId`, "pods.update", 200, "Change a pod"),
  route("DELETE", `${WORKSPACE}/pods/:podId`, "pods.remove", 204, "Delete a pod, its spaces and their contents"),
  route("POST", `${WORKSPACE}/spaces`, "pods.spaces.create", 201, "Create a space"),
  route("GET", `${WORKSPACE}/spaces`, "pods.spaces.list", 200, "List spaces"),
  route("GET", `${WORKSPACE}/spaces/:sId`, "pods.spaces.get", 200, "Read a space"),
  route("PATCH", `${WORKSPACE}/spaces/:sId`, "pods.spaces.update", 200, "Rename a space"),
  route("DELETE", `${WORKSPACE}/spaces/:sId`, "pods.spaces.remove", 204, "Delete a space and its contents", {
    errors: ["default_space"],
  }),
];
