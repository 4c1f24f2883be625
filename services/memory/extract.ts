import type { Extraction } from "../../contracts/entities/memory.ts";
import { extractFacts } from "../../core/memory/extract-facts.ts";
import type { Fact } from "../../core/memory/fact.ts";
import { askForFacts, failureOf, modelName } from "./ask-model.ts";
import type { MemoryService } from "./service.ts";

/** Changes with what the rules make of a text. */
export const RULES = "rules/1";

/** Facts by the language model where one is configured, else, or where it fails, by the rules. */
export async function extract(
  service: MemoryService,
  text: { content: string; workspaceId: string },
  now: Date,
): Promise<{ facts: Fact[]; extraction: Extraction }> {
  try {
    const facts = await askForFacts(service, text, now);
    return { facts, extraction: { by: await modelName(service), fallback: null } };
  } catch (error) {
    const code = failureOf(error);
    const fallback = code === "no_model_configured" ? null : code;
    if (fallback) service.logger.warn("The language model drew no facts from a text; the rules did.", error);
    return { facts: extractFacts(text.content, { now }), extraction: { by: RULES, fallback } };
  }
}
