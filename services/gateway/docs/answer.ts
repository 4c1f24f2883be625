import { notFound } from "../../../contracts/errors.ts";
import { noneMatchNames } from "../http/etag.ts";
import type { Exchange } from "../http/exchange.ts";
import { cacheControl, PAGE_HEADERS } from "../http/security-headers.ts";
import { wantsHtml } from "../http/wants-html.ts";
import type { Site } from "./site.ts";

let site: Promise<Site> | undefined;

/**
 * The site is rendered at its first request, so a node whose documentation is never read does not hold it in memory.
 */
const built = () => (site ??= import("./site.ts").then(({ buildSite }) => buildSite()));

/**
 * Serves a page of the documentation, or one of its assets.
 * @throws {AppError} not_found when the path is not part of the site, for clients that are no browsers
 */
export async function answerDocs(x: Exchange): Promise<void> {
  const path = x.path.length > 1 && x.path.endsWith("/") ? x.path.slice(0, -1) : x.path;
  const { files, missing } = await built();
  const file = files.get(path);
  if (!file && wantsHtml(x)) {
    x.headers.push("Cache-Control", "no-store", "Vary", "Accept");
    return x.send(404, missing.type, missing.body, PAGE_HEADERS);
  }
  if (!file) throw notFound("page");
  x.headers.push("ETag", file.etag, "Cache-Control", cacheControl(file.immutable));
  if (noneMatchNames(x.req.headers["if-none-match"], file.etag)) return x.send(304, undefined, "", PAGE_HEADERS);
  x.send(200, file.type, file.body, PAGE_HEADERS);
}
