import { setTimeout as sleep } from "node:timers/promises";
import { MASK } from "../../../../core/credentials/mask.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import { itemsOf, type NextPage, nextPage, type NextRule } from "../../../../core/run/pages.ts";
import { type FoundPage, LostItemsError, PageProgress } from "./http-page-progress.ts";
import { callHttp, type HttpAnswered, type HttpCall } from "./http-call.ts";
import { type EvaluateLater, failed, idempotencyKey, type StepContext } from "./step.ts";

type Data = DataOf<"http">;
type Paged = Data & { pagination: NonNullable<Data["pagination"]> };

/** The field `pagination` with its expressions evaluated for a page. */
interface Evaluated {
  next: NextRule;
  items: unknown;
  until?: unknown;
}

/**
 * Restores parameters of the step's own query in an address from a record. Records hold no secrets, so a link of the
 * service that repeats a secret parameter is masked there.
 */
function unmasked(address: string, query: Data["query"]): string {
  const url = new URL(address);
  for (const [name, value] of [...url.searchParams]) {
    if (!value.includes(MASK)) continue;
    if (query[name] === undefined || query[name] === null) url.searchParams.delete(name);
    else url.searchParams.set(name, String(query[name]));
  }
  return url.href;
}

/** An address without the parameters of these names, because other values replace them. */
function without(address: string, names: readonly string[]): string {
  const url = new URL(address);
  const there = names.filter(name => url.searchParams.has(name));
  for (const name of there) url.searchParams.delete(name);
  return there.length > 0 ? url.href : address;
}

/** The call of the next page. */
function callOf(data: Paged, next: NextPage | null | undefined, key: string): HttpCall {
  const { url, query } = data;
  if (!next) return { url, query, idempotencyKey: key };
  if ("url" in next) return { url: unmasked(next.url, query), query: {}, idempotencyKey: key };
  // The address of an operation has its arguments as parameters.
  return { url: without(url, Object.keys(next.query)), query: { ...query, ...next.query }, idempotencyKey: key };
}

const sameCall = (a: HttpCall, b: HttpCall) => JSON.stringify([a.url, a.query]) === JSON.stringify([b.url, b.query]);

async function read(answer: HttpAnswered, page: number, later: EvaluateLater): Promise<FoundPage> {
  const { status, headers, body } = answer;
  const response = { status, headers, body, page };
  const pagination = (await later("pagination", { response })) as Evaluated;
  const ends = pagination.until === true;
  return { status, items: itemsOf(pagination.items), next: ends ? null : nextPage(pagination.next, answer) };
}

/**
 * Calls an endpoint page by page. Each page becomes a record of the step in the journal before the next page is
 * requested, so no finished page is requested again.
 */
export async function httpPages(data: Paged, context: StepContext, later: EvaluateLater): Promise<StepResult> {
  const { maxPages, delayMs } = data.pagination;
  let progress: PageProgress;
  try {
    progress = await PageProgress.from(context);
  } catch (error) {
    if (!(error instanceof LostItemsError)) throw error;
    return failed("invalid_data", "The items of finished pages are no longer stored.", false);
  }
  const input = { method: data.method, url: data.url, query: data.query };
  const key = idempotencyKey(context.doc, context.at);
  while (progress.next !== null && progress.pages < maxPages) {
    const page = progress.pages + 1;
    if (page > 1 && delayMs > 0) await sleep(delayMs, undefined, { signal: context.signal }).catch(() => undefined);
    context.signal.throwIfAborted();
    const call = callOf(data, progress.next, page === 1 ? key : `${key}:page-${page}`);
    const result = await callHttp(data, context, call);
    if ("failure" in result) return result.failure;
    let found: FoundPage;
    try {
      found = await read(result.answer, page, later);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return failed("invalid_data", `/data/pagination/next: the address of page ${page + 1} is not a URL.`, false);
    }
    if (found.next && sameCall(callOf(data, found.next, ""), { ...call, idempotencyKey: "" })) {
      return failed("pagination_repeats", `Page ${page} names itself as the next page.`, false);
    }
    const { items } = found;
    if (!progress.hasRoomFor(items)) {
      const message = `The items of ${page} pages are larger than ${progress.maxBytes / 1_024} KiB. Keep fewer fields in \`items\`, or end earlier by \`until\` or \`maxPages\`.`;
      return failed("output_too_large", message, false);
    }
    await progress.finish(found);
  }
  const { pages, status, items } = progress;
  if (progress.next)
    context.log({ level: "warn", message: `Stopped after ${pages} pages, as \`maxPages\` says. There are more.` });
  return { kind: "done", output: { items, pages, status }, input };
}
