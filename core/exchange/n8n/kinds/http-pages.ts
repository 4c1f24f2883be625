import { listAt, objectAt, textAt, type Translation } from "../translation.ts";
import { toExpression, wholeExpression } from "../parameter.ts";
import type { References } from "../references.ts";
import { not, truthyInJs, type Typed, typed } from "../typed.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

const MAX_PAGES = 10_000;
const MAX_DELAY_MS = 60_000;
const CODES = /^\s*\d{3}(\s*,\s*\d{3})*\s*$/;

export interface Pages {
  pagination: Record<string, unknown>;
  /** The parameters of the first page. */
  query: Record<string, unknown>;
  /** A status that ends the pages must not fail the step. */
  ignoresStatus: boolean;
}

const settingsOf = ({ parameters }: N8nNode) => objectAt(parameters, "options", "pagination", "pagination");

/** Whether a node requests several pages. */
export const isPaged = (node: N8nNode): boolean => !["", "off"].includes(textAt(settingsOf(node).paginationMode, ""));

/** The same references, plus the answer to the previous page. */
const afterAPage = (t: Translation): References => ({
  own: () => t.own(),
  named: name => t.named(name),
  hasRun: name => t.hasRun(name),
  zone: t.zone,
  countExpression: () => t.countExpression(),
  seesPages: true,
});

const braces = ({ text }: Typed): string => `{{ ${text} }}`;

/**
 * The parameter's value on the first page, whose number is 0. Null if the value depends on an answer, because there is
 * none yet.
 */
const first = ({ text }: Typed): string | null => {
  const begun = text.replaceAll("response.page", "0");
  return begun.includes("response.") ? null : `{{ ${begun} }}`;
};

function nextOf(settings: Record<string, unknown>, to: References): { next: unknown; query: Pages["query"] } {
  const mode = textAt(settings.paginationMode, "");
  if (mode === "responseContainsNextURL")
    return { next: { url: braces(toExpression(settings.nextURL ?? "", to)) }, query: {} };
  if (mode !== "updateAParameterInEachRequest") throw new Untranslatable(`the pagination "${shown(mode)}"`);
  const parameters = listAt(settings, "parameters", "parameters");
  if (parameters.length === 0) throw new Untranslatable("pagination without a parameter");
  const other = parameters.find(({ type }) => textAt(type, "qs") !== "qs");
  if (other) throw new Untranslatable(`pagination by a parameter in "${shown(textAt(other.type, ""))}"`);
  const values = parameters.map(({ name, value }) => [textAt(name, ""), toExpression(value ?? "", to)] as const);
  return {
    next: { query: Object.fromEntries(values.map(([name, value]) => [name, braces(value)])) },
    query: Object.fromEntries(values.map(([name, value]) => [name, first(value)])),
  };
}

interface End {
  until: Typed;
  /** The items of the last page, which only signals the end, are dropped. */
  leavesOut: boolean;
}

function endOf(settings: Record<string, unknown>, to: References): End {
  const when = textAt(settings.paginationCompleteWhen, "responseIsEmpty");
  if (when === "responseIsEmpty") return { until: not(typed("response.body", "any", true)), leavesOut: false };
  if (when === "receiveSpecificStatusCodes") {
    const codes = textAt(settings.statusCodesWhenComplete, "");
    if (!CODES.test(codes)) throw new Untranslatable("pagination that ends at status codes that it does not name");
    return { until: typed(`response.status in [${codes.trim()}]`, "boolean"), leavesOut: true };
  }
  const whole = wholeExpression(settings.completeExpression);
  if (when !== "other" || whole === null) throw new Untranslatable("the end of its pagination");
  return { until: truthyInJs(toExpression(whole, to)), leavesOut: false };
}

const FULL = '{"body": response.body, "headers": response.headers, "statusCode": response.status}';

/**
 * Translates the pagination of a node to that of an `http` step.
 * @throws {Untranslatable} when it cannot be translated
 */
export function pagesOf(node: N8nNode, isFull: boolean, t: Translation): Pages {
  const settings = settingsOf(node);
  const to = afterAPage(t);
  const { next, query } = nextOf(settings, to);
  const { until, leavesOut } = endOf(settings, to);
  const items = isFull ? FULL : "response.body";
  const { maxRequests = 100, requestInterval } = settings;
  const maxPages = settings.limitPagesFetched === true && typeof maxRequests === "number" ? maxRequests : MAX_PAGES;
  const isDelayed = typeof requestInterval === "number" && requestInterval > 0;
  return {
    pagination: {
      next,
      items: leavesOut ? `{{ (${until.text}) ? [] : ${items} }}` : `{{ ${items} }}`,
      until: braces(until),
      maxPages: Math.max(1, Math.min(MAX_PAGES, Math.round(maxPages))),
      ...(isDelayed && { delayMs: Math.min(MAX_DELAY_MS, Math.round(requestInterval)) }),
    },
    query,
    ignoresStatus: leavesOut,
  };
}
