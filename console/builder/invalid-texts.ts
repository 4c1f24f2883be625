import { dropDraft, keepDraft, readDraft } from "../data/drafts.ts";
import { isRecord } from "../data/json.ts";
import type { BuilderDocument } from "./document/index.ts";

/** Texts of fields that are not valid yet, such as JSON without its last bracket, by the pointer of the field. */
type Texts = Map<string, string>;

/** A map of texts that reports each change. */
class ToldTexts extends Map<string, string> {
  #told: (() => void) | undefined;

  onChange(told: () => void): this {
    this.#told = told;
    return this;
  }

  override set(pointer: string, text: string): this {
    super.set(pointer, text);
    this.#told?.();
    return this;
  }

  override delete(pointer: string): boolean {
    const had = super.delete(pointer);
    if (had) this.#told?.();
    return had;
  }
}

const forms = new WeakMap<BuilderDocument, Map<string, ToldTexts>>();
const keepers = new WeakMap<BuilderDocument, () => void>();

const keyOf = (workflowId: string) => `unread:${workflowId}`;

/** The invalid texts of one form of a document. They survive while the form is not shown. */
export function invalidTextsOf(doc: BuilderDocument, form: string): Texts {
  const all = forms.get(doc) ?? new Map<string, ToldTexts>();
  forms.set(doc, all);
  const texts = all.get(form) ?? new ToldTexts().onChange(() => keepers.get(doc)?.());
  all.set(form, texts);
  return texts;
}

/**
 * Stores these texts in the browser, and restores them. Drafts do not contain them, because they are not part of a step
 * yet.
 */
export function keepInvalidTexts(doc: BuilderDocument, userId: string, workflowId: string): void {
  const kept = readDraft(userId, keyOf(workflowId));
  for (const [form, texts] of Object.entries(isRecord(kept) ? kept : {})) {
    for (const [pointer, text] of Object.entries(isRecord(texts) ? texts : {})) {
      if (typeof text === "string") invalidTextsOf(doc, form).set(pointer, text);
    }
  }
  keepers.set(doc, () => {
    const filled = [...(forms.get(doc) ?? [])].filter(([, { size }]) => size > 0);
    const value = Object.fromEntries(filled.map(([form, texts]) => [form, Object.fromEntries(texts)]));
    if (filled.length === 0) dropDraft(userId, keyOf(workflowId));
    else keepDraft(userId, keyOf(workflowId), value);
  });
}

/** Deletes the texts, for example when the draft is discarded. */
export const forgetInvalidTexts = (userId: string, workflowId: string): void => dropDraft(userId, keyOf(workflowId));
