import { TimeSlices } from "../../adapters/time-slices.ts";
import { z } from "zod";
import { call } from "../../contracts/call.ts";
import { errorCode } from "../../contracts/errors.ts";
import type { Candidate, Decision } from "../../core/memory/decide.ts";
import { type Fact, nameOf } from "../../core/memory/fact.ts";
import { withoutInjected } from "../../core/memory/injected.ts";
import {
  comparisonText,
  extractedFacts,
  extractionPrompt,
  RESOLUTION_PROMPT,
  resolvedFacts,
} from "../../core/memory/model-prompts.ts";
import { slotsOf } from "../../core/memory/slots.ts";
import type { MemoryService } from "./service.ts";

/** Changes whenever the prompts change. */
const PROMPTS = "prompts/1";
const EXTRACT_MS = 60_000;
/** The time that other requests may wait for their turn meanwhile. */
const RESOLVE_MS = 20_000;

/** Why a model gave no usable result: the code of an error, or that its response does not match the schema. */
export const failureOf = (error: unknown): string =>
  error instanceof z.ZodError ? "model_bad_output" : (errorCode(error) ?? "model_unavailable");

/** Each schema is converted once, because converting takes as long as all other work on a short text. */
const schemas = new Map<z.ZodType, Record<string, unknown>>();

function schemaOf(wanted: z.ZodType): Record<string, unknown> {
  const made = schemas.get(wanted) ?? z.toJSONSchema(wanted, { target: "draft-7" });
  schemas.set(wanted, made);
  return made;
}

async function answerOf<T>(
  service: MemoryService,
  question: { workspaceId: string; system: string; content: string; timeout: number },
  wanted: z.ZodType<T>,
): Promise<T> {
  const { workspaceId, system, content, timeout } = question;
  const schema = schemaOf(wanted);
  const messages = [{ role: "user" as const, content }];
  const request = { workspaceId, system, messages, schema, temperature: 0 };
  return wanted.parse((await call(service.broker, "models.chat", request, { timeout })).json);
}

/** The model and the prompts in use; null when no model is configured. */
export async function modelName(service: MemoryService): Promise<string | null> {
  const found = await call(service.broker, "models.describe", {}).catch(() => undefined);
  return found?.chat === null ? null : `${found?.chat?.model ?? "a language model"} ${PROMPTS}`;
}

/** A quote that does not occur in the text is replaced by the whole text. */
function spanOf(quote: string, text: string): Fact["span"] {
  const start = quote === "" ? -1 : text.indexOf(quote);
  return start < 0 ? { start: 0, end: text.length } : { start, end: start + quote.length };
}

const dayOf = (date: string | null): string | null => {
  const time = new Date(`${date}T00:00:00.000Z`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
};

/**
 * The facts that the language model finds in a text.
 * @throws an error that `failureOf` reads
 */
export async function askForFacts(
  service: MemoryService,
  { workspaceId, content: text }: { workspaceId: string; content: string },
  now: Date,
): Promise<Fact[]> {
  const system = extractionPrompt(now, nameOf(undefined));
  const question = { workspaceId, system, content: withoutInjected(text), timeout: EXTRACT_MS };
  const { facts } = await answerOf(service, question, extractedFacts);
  const found: Fact[] = [];
  const turns = new TimeSlices();
  for (const { content, type: factType, eventDate, confidence, quote } of facts) {
    const said = content.trim();
    if (said === "") continue;
    const span = spanOf(quote, text);
    found.push({ content: said, factType, eventDate: dayOf(eventDate), confidence, span, slots: slotsOf(said) });
    await turns.next();
  }
  return found;
}

export interface Comparison {
  content: string;
  candidates: readonly Candidate[];
}

/**
 * The model's decisions: one for each comparison, about its own candidates only.
 * @throws an error that `failureOf` reads
 */
export async function askForDecisions(
  service: MemoryService,
  workspaceId: string,
  comparisons: readonly Comparison[],
): Promise<Decision[]> {
  const facts = comparisons.map(({ content, candidates }) => ({
    content,
    candidates: candidates.map(({ id, content }) => ({ id, content })),
  }));
  const question = { workspaceId, system: RESOLUTION_PROMPT, content: comparisonText(facts), timeout: RESOLVE_MS };
  const { decisions } = await answerOf(service, question, resolvedFacts);
  const byFact = new Map(decisions.map(one => [one.fact, one]));
  return comparisons.map(({ candidates }, at): Decision => {
    const { decision = "add", ids: named = [] } = byFact.get(at) ?? {};
    const shown = new Set(candidates.map(({ id }) => id));
    const ids = [...new Set(named)].filter(id => shown.has(id));
    const [id] = ids;
    if (id === undefined || decision === "add") return { kind: "add" };
    return decision === "same" ? { kind: "same", id } : { kind: "supersede", ids };
  });
}
