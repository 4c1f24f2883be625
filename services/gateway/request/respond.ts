import type { OutputOf } from "../../../contracts/actions.ts";
import { type Workflow, workflowEtag } from "../../../contracts/entities/workflow.ts";
import { revisionEtag, type WorkflowDraft } from "../../../contracts/entities/workflow-draft.ts";
import type { CountedPage } from "../../../contracts/primitives.ts";
import { creates } from "../../../contracts/routes.ts";
import { answerDelivery } from "./answer-delivery.ts";
import { contentEtag, noneMatchNames, numberedEtag } from "../http/etag.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Input } from "./input.ts";
import type { RoutePlan } from "./route-plan.ts";
import { segmentsOf } from "./router.ts";
import { sendCompressed } from "../http/send-compressed.ts";
import { LASTING_HEADERS } from "../http/security-headers.ts";

/** A link to the same list, continuing after this page. */
function nextLink({ path, search }: Exchange, cursor: string): string {
  const query = new URLSearchParams(search);
  query.set("cursor", cursor);
  return `<${path}?${query.toString()}>; rel="next"`;
}

function location(path: string, depth: number, result: unknown): string | undefined {
  const id = (result as { id?: unknown } | null)?.id;
  if (typeof id !== "string") return undefined;
  const base = depth > 0 ? segmentsOf(path).slice(0, depth).join("/") : segmentsOf(path).join("/");
  return `/${base}/${encodeURIComponent(id)}`;
}

/** Whether the response never changes. */
const isLasting = ({ immutable }: RoutePlan["route"], result: unknown): boolean =>
  immutable === "always" || (immutable === "once-ended" && (result as { ended?: unknown }).ended === true);

const etagOf = (kind: RoutePlan["route"]["etag"], result: unknown): string => {
  if (kind === "workflow") return workflowEtag(result as Workflow);
  if (kind === "numbered") return numberedEtag(result as { revision?: number });
  return kind === "revision" ? revisionEtag(result as WorkflowDraft | null) : contentEtag(JSON.stringify(result));
};

/** Responds to a request with the result of its action. `found` is true if the call has created nothing. */
export function respond(x: Exchange, plan: RoutePlan, input: Input, result: unknown, found = false): void {
  const { route, list, locationDepth } = plan;
  if (route.headers.prefer && input.waitMs !== undefined) {
    x.headers.push("Preference-Applied", `wait=${Number(input.waitMs) / 1_000}`);
  }
  if (x.page) return x.page.done(result);
  if (route.delivery) return answerDelivery(x, result as OutputOf<"webhooks.trigger">);
  if (route.status === 204) return x.send(204);
  if (creates(route)) {
    const created = location(x.path, locationDepth, result);
    if (created) x.headers.push("Location", created);
  }
  if (route.etag !== "none") {
    const etag = etagOf(route.etag, result);
    x.headers.push("ETag", etag);
    if (route.method === "GET" && noneMatchNames(x.req.headers["if-none-match"], etag)) return x.send(304);
  }
  const isRead = route.method === "GET";
  const base = isLasting(route, result) ? LASTING_HEADERS : undefined;
  if (!list && isRead) return sendCompressed(x, route.status, JSON.stringify(result), base);
  if (!list) return x.json(found ? 200 : route.status, result);
  const { items, next, total, totalIsMin } = result as CountedPage<unknown>;
  if (next !== null) x.headers.push("Link", nextLink(x, next));
  if (total !== undefined) x.headers.push("X-Total-Count", `${total}`);
  if (totalIsMin) x.headers.push("X-Total-Count-Min", "true");
  if (isRead) return sendCompressed(x, route.status, JSON.stringify(items));
  x.json(route.status, items);
}
