import { route, WORKSPACE } from "./route.ts";

const MEMORIES = `${WORKSPACE}/memories`;

export const memoryRoutes = [
  route("POST", `${MEMORIES}/ingest`, "memory.ingest", 201, "Extract facts from a text and store them", {
    errors: ["limit_reached"],
  }),
  route("POST", `${MEMORIES}/ingest/preview`, "memory.preview", 200, "Preview the result of an ingest", {
    audited: false,
    errors: ["limit_reached"],
  }),
  route("POST", `${MEMORIES}/search`, "memory.search", 200, "Search memories by meaning and keywords", {
    audited: false,
    searches: true,
  }),
  route("POST", `${MEMORIES}/context`, "memory.context", 200, "Assemble relevant memories for a prompt", {
    audited: false,
    searches: true,
  }),
  route("GET", `${MEMORIES}/profile`, "memory.profile", 200, "Read the memories of a user, grouped by type"),
  route("GET", `${MEMORIES}/subjects`, "memory.subjects", 200, "List the people, threads or workflows with memories"),
  route("POST", MEMORIES, "memory.create", 201, "Store one statement as a memory", { errors: ["limit_reached"] }),
  route("GET", MEMORIES, "memory.list", 200, "List memories"),
  route("GET", `${MEMORIES}/:id`, "memory.get", 200, "Read a memory, current or superseded"),
  route("DELETE", `${MEMORIES}/:id`, "memory.remove", 204, "Delete a memory"),
  route("GET", `${MEMORIES}/:id/history`, "memory.history", 200, "Read the history of a memory"),
  route("POST", `${MEMORIES}/:id/restore`, "memory.restore", 200, "Restore a superseded memory", {
    errors: ["memory_current", "conflict"],
  }),
];
