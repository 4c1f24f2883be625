import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  pickedCompletion,
} from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { completionAt, type EditorScope, type Option } from "../complete.ts";
import type { Language } from "../tokens.ts";

const ORDER: Record<Option["type"], number> = { name: 4, step: 3, key: 2, function: 1, useless: -99 };
const VALID = /^[\w$]*$/;

function optionOf(option: Option, n: number, dot: number | undefined): Completion {
  const { label, apply, type, detail, info } = option;
  return {
    label,
    type,
    detail,
    ...(info && { info }),
    // Options of one kind keep their order.
    boost: type === "useless" ? ORDER.useless : ORDER[type] - n / 10_000,
    apply(view: EditorView, completion: Completion, from: number, to: number) {
      const start = option.dot && dot !== undefined ? dot : from;
      view.dispatch({
        changes: { from: start, to, insert: apply },
        selection: { anchor: start + apply.length },
        annotations: pickedCompletion.of(completion),
        userEvent: "input.complete",
      });
    },
  };
}

/** Offers what `completionAt` returns. `scope` is called each time, because it may change. */
export const sourceOf =
  (language: Language, scope: () => EditorScope | undefined): CompletionSource =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const known = scope();
    const complete = () => known && completionAt(context.state.doc.toString(), context.pos, language, known);
    let found = complete();
    // Waits for values that are still loading. The next key asks again.
    const missing = found && known?.missing?.();
    if (missing) {
      await missing;
      if (context.aborted) return null;
      found = complete();
    }
    if (!found || found.options.length === 0) return null;
    const { from, dot, options } = found;
    const quoted = context.state.sliceDoc(from, from + 1) === "`";
    const isBegun = from < context.pos || dot !== undefined;
    const opened = /\{\{\s*$/.test(context.state.sliceDoc(Math.max(0, from - 20), from));
    if (!context.explicit && !isBegun && !opened) return null;
    return {
      from,
      options: options.map((option, n) =>
        optionOf(quoted ? { ...option, label: `\`${option.label}` } : option, n, dot),
      ),
      validFor: VALID,
    };
  };
