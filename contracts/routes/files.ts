import { type FileUpload, route, WORKSPACE } from "./route.ts";

export const FILES = `${WORKSPACE}/files`;

const upload: FileUpload = { types: "any", begin: "files.begin", discard: "files.discard" };

export const filesRoutes = [
  route("POST", FILES, "files.create", 201, "Upload a file", { upload, errors: ["limit_reached"] }),
  route("GET", FILES, "files.list", 200, "List files, newest first"),
  route("DELETE", `${FILES}/:id`, "files.remove", 204, "Delete a file"),
];
