import type { Extraction } from "../../contracts/entities/memory.ts";
import type { Fact } from "../../core/memory/fact.ts";
import { askForFacts, failureOf, modelName } from "./ask-model.ts";
import { factsIn } from "./read-text.ts";
import type { MemoryService } from "./service.ts";

/** Changes whenever the rules read a text differently. */
export const RULES = "rules/4";

/**
 * Extracts facts with the language model if one is configured. If there is none, or it fails, the rules extract them.
 */
export async function extract(
  service: MemoryService,
  text: { content: string; workspaceId: string },
  now: Date,
): Promise<{ facts: Fact[]; extraction: Extraction }> {
  const byRules = async (fallback: string | null) => {
    const facts = await factsIn(text.content, now);
    return { facts, extraction: { by: RULES, fallback } };
  };
  const by = await modelName(service);
  if (by === null) return byRules(null);
  try {
    return { facts: await askForFacts(service, text, now), extraction: { by, fallback: null } };
  } catch (error) {
    const code = failureOf(error);
    if (code === "no_model_configured") return byRules(null);
    service.logger.warn("The language model could not extract facts from a text; the rules extracted them.", error);
    return byRules(code);
  }
}
