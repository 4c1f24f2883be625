import { route, WORKSPACE } from "./route.ts";

const MEMORIES = `${WORKSPACE}/memories`;

export const memoryRoutes = [
  route("POST", `${MEMORIES}/ingest`, "memory.ingest", 201, "Draw facts from a text and remember them", {
    errors: ["limit_reached"],
  }),
  route("POST", `${MEMORIES}/search`, "memory.search", 200, "Search memories by meaning and keywords", {
    audited: false,
    searches: true,
  }),
  route("POST", `${MEMORIES}/context`, "memory.context", 200, "Pack what is known for a prompt", {
    audited: false,
    searches: true,
  }),
  route("GET", `${MEMORIES}/profile`, "memory.profile", 200, "Read what is known of a user, by kind"),
  route("POST", MEMORIES, "memory.create", 201, "Remember one statement", { errors: ["limit_reached"] }),
  route("GET", MEMORIES, "memory.list", 200, "List memories"),
  route("GET", `${MEMORIES}/:id`, "memory.get", 200, "Read a memory, also a superseded one"),
  route("DELETE", `${MEMORIES}/:id`, "memory.remove", 204, "Delete a memory"),
  route(
    "GET",
    `${MEMORIES}/:id/history`,
    "memory.history",
    200,
    "Read where a memory comes from and what became of it",
  ),
  route("POST", `${MEMORIES}/:id/restore`, "memory.restore", 200, "Make a superseded memory current again", {
    errors: ["memory_current", "conflict"],
  }),
];
