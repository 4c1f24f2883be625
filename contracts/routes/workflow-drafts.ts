import { IF_MATCH, route, SPACE } from "./route.ts";

const SAMPLES = `${SPACE}/workflows/:id/samples`;
const DRAFT = `${SPACE}/workflows/:id/draft`;

const PRESENCE = `${SPACE}/workflows/:id/presence`;

export const workflowDraftsRoutes = [
  route("GET", PRESENCE, "workflows.presence.get", 200, "Read who has a workflow open"),
  route("POST", PRESENCE, "workflows.presence.report", 200, "Report that you have a workflow open", { audited: false }),
  route("DELETE", PRESENCE, "workflows.presence.end", 200, "Report that you have closed a workflow", {
    audited: false,
  }),
  route("GET", SAMPLES, "workflows.samples.list", 200, "List the samples of a workflow's steps"),
  route("PATCH", SAMPLES, "workflows.samples.update", 200, "Store an output as the sample of a step", {
    errors: ["limit_reached", "conflict"],
  }),
  route("DELETE", SAMPLES, "workflows.samples.remove", 204, "Remove the sample of a step"),
  route("GET", DRAFT, "workflows.drafts.get", 200, "Read your draft of a workflow", { etag: "revision" }),
  route("PATCH", DRAFT, "workflows.drafts.update", 200, "Store your draft of a workflow", {
    etag: "revision",
    headers: IF_MATCH,
    errors: ["precondition_failed", "conflict"],
    // A draft is private and changes with every pause in typing. Only the resulting version is audited.
    audited: false,
  }),
  route("DELETE", DRAFT, "workflows.drafts.remove", 204, "Remove your draft of a workflow", { audited: false }),
];
