import { dropDraft, keepDraft, readDraft } from "../data/drafts.ts";
import { type BuilderDocument, isRecord } from "./document/index.ts";

/** Texts of fields that cannot be read yet, such as JSON without its last bracket, by the pointer of the field. */
type Texts = Map<string, string>;

/** Texts of which each change is told. */
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

/** The texts of one form of a document. A form that is shown again finds them. */
export function unreadOf(doc: BuilderDocument, form: string): Texts {
  const all = forms.get(doc) ?? new Map<string, ToldTexts>();
  forms.set(doc, all);
  const texts = all.get(form) ?? new ToldTexts().onChange(() => keepers.get(doc)?.());
  all.set(form, texts);
  return texts;
}

/** Keeps these texts in the browser, and takes in those that were kept. They are no part of a draft, as no step has them. */
export function keepUnread(doc: BuilderDocument, userId: string, workflowId: string): void {
  const kept = readDraft(userId, keyOf(workflowId));
  for (const [form, texts] of Object.entries(isRecord(kept) ? kept : {})) {
    for (const [pointer, text] of Object.entries(isRecord(texts) ? texts : {})) {
      if (typeof text === "string") unreadOf(doc, form).set(pointer, text);
    }
  }
  keepers.set(doc, () => {
    const filled = [...(forms.get(doc) ?? [])].filter(([, { size }]) => size > 0);
    const value = Object.fromEntries(filled.map(([form, texts]) => [form, Object.fromEntries(texts)]));
    if (filled.length === 0) dropDraft(userId, keyOf(workflowId));
    else keepDraft(userId, keyOf(workflowId), value);
  });
}

/** Forgets them, as with a draft that is discarded. */
export const forgetUnread = (userId: string, workflowId: string): void => dropDraft(userId, keyOf(workflowId));
