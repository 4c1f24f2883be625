import { IMPORT_TYPES } from "../import-types.ts";
import { type FileUpload, route, WORKSPACE } from "./route.ts";

const BASES = `${WORKSPACE}/knowledge-bases`;

const upload: FileUpload = {
  types: IMPORT_TYPES,
  begin: "knowledge.uploads.begin",
  append: "knowledge.uploads.append",
  discard: "knowledge.uploads.discard",
};

/**
 * The same functions have two forms of paths. The first is Weft's own form. `entry` is the name of the entry id in the
 * path.
 */
const form = (bases: string, entry: string) => {
  const base = `${bases}/:id`;
  const entries = `${base}/entries`;
  const same = { variables: { [entry]: "entryId" } };
  return [
    route("POST", bases, "knowledge.create", 201, "Create a knowledge base", {
      ...same,
      errors: ["limit_reached"],
    }),
    route("GET", bases, "knowledge.list", 200, "List knowledge bases with the number of their entries", same),
    route("GET", base, "knowledge.get", 200, "Read a knowledge base", same),
    route("PATCH", base, "knowledge.update", 200, "Change a knowledge base", same),
    route("DELETE", base, "knowledge.remove", 204, "Delete a knowledge base and all its entries", same),
    route("POST", entries, "knowledge.entries.create", 201, "Add an entry", { ...same, errors: ["limit_reached"] }),
    route("GET", entries, "knowledge.entries.list", 200, "List entries", same),
    route("GET", `${entries}/:${entry}`, "knowledge.entries.get", 200, "Read an entry", same),
    route("DELETE", `${entries}/:${entry}`, "knowledge.entries.remove", 204, "Remove an entry", same),
    route("POST", `${entries}/import`, "knowledge.imports.create", 201, "Import a file in the background", {
      ...same,
      upload,
      errors: ["limit_reached"],
    }),
    route("GET", `${entries}/import`, "knowledge.imports.list", 200, "List imports", same),
    route("GET", `${entries}/import/:importId`, "knowledge.imports.get", 200, "Read the progress of an import", same),
    route(
      "POST",
      `${entries}/import/:importId/cancel`,
      "knowledge.imports.cancel",
      200,
      "Cancel an unfinished import. Its entries stay.",
      same,
    ),
    route(
      "POST",
      `${entries}/import/:importId/retry`,
      "knowledge.imports.retry",
      200,
      "Retry a failed or cancelled import. It creates no entry twice.",
      { ...same, errors: ["import_not_kept", "limit_reached"] },
    ),
  ];
};

/** A search changes nothing. */
const SEARCHING = { audited: false, searches: true };

export const knowledgeRoutes = [
  ...form(BASES, "entryId"),
  route("POST", `${BASES}/:id/search`, "knowledge.search", 200, "Find entries by meaning and by words", SEARCHING),
  ...form(`/workspaces/:wId/knowledge`, "eId"),
  route(
    "POST",
    "/workspaces/:wId/knowledge/:id/search",
    "knowledge.searchByKeywords",
    200,
    "Find entries by words",
    SEARCHING,
  ),
];
