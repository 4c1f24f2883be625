// The editor has a chunk of its own. It is loaded when an expression first gets the focus.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorSelection, EditorState, type Extension, Prec } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  keymap,
  lineNumbers,
  placeholder,
  tooltips,
  type ViewUpdate,
} from "@codemirror/view";
import { overtyped } from "../braces.ts";
import type { Editor, EditorOptions, TextFault } from "../editor-options.ts";
import { sourceOf } from "./completion.ts";
import { languageOf } from "./language.ts";
import { theme } from "./theme.ts";

const diagnosticsOf = (faults: readonly TextFault[], length: number): Diagnostic[] =>
  faults.map(({ message, from, to }) => {
    const start = Math.min(from, length);
    return { from: start, to: Math.min(Math.max(to, start), length), severity: "error", message };
  });

/** In a field of one line, pasted lines are joined and Enter does nothing. */
const oneLine: Extension = EditorState.transactionFilter.of(transaction =>
  transaction.docChanged && transaction.newDoc.lines > 1 && transaction.startState.doc.lines === 1
    ? [transaction, { changes: breaksIn(transaction.newDoc.toString()), sequential: true }]
    : transaction,
);

function breaksIn(text: string) {
  const changes: { from: number; to: number; insert: string }[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    changes.push({ from: at, to: at + 1, insert: " " });
  }
  return changes;
}

/**
 * Escape first closes an open list of completions, and then leaves the editor. Tab is not bound, so it moves to the
 * next field.
 */
const leaving = (leave: () => void) =>
  keymap.of([
    {
      key: "Escape",
      run() {
        leave();
        return true;
      },
    },
  ]);

/** Ctrl Enter runs the workflow, in an editor too. */
const OWN_KEYS = defaultKeymap.filter(({ key }) => key !== "Mod-Enter");

/** Typing `{{` inserts the closing braces with a space between. Users can still type them. */
const bracePairs = Prec.high(
  EditorView.inputHandler.of((view, from, to, text) => {
    const { state } = view;
    const known = from === to ? overtyped(state.doc.toString(), from, text) : undefined;
    if (known) {
      const changes = { from: known.from, to: known.to };
      view.dispatch({ changes, selection: EditorSelection.cursor(known.cursor), userEvent: "input.type" });
      return true;
    }
    const isSecond = text === "{" && from === to && from > 0 && state.sliceDoc(from - 1, from) === "{";
    if (!isSecond || state.sliceDoc(from - 2, from - 1) === "{") return false;
    const closed = state.sliceDoc(from, from + 1) === "}";
    view.dispatch({
      changes: { from, to: closed ? from + 1 : to, insert: "{  }}" },
      selection: EditorSelection.cursor(from + 2),
      userEvent: "input.type",
    });
    return true;
  }),
);

/** Inserts a text as if the user typed it. */
function put(view: EditorView, text: string): void {
  const { from, to } = view.state.selection.main;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type" });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some(handle => handle(view, from, to, text, insert))) view.dispatch(insert());
}

/**
 * When Chromium replaces a selection, it copies the look in a style attribute, which violates the page's content
 * security policy.
 */
const replacing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const isPlain = event.inputType === "insertText" && event.data && !view.composing && !view.state.readOnly;
    if (!isPlain || view.state.selection.main.empty) return false;
    event.preventDefault();
    put(view, event.data);
    return true;
  },
});

function extensionsOf(options: EditorOptions, leave: () => void, update: (change: ViewUpdate) => void): Extension[] {
  const { language, label, lines, numbered, describedBy, readOnly, scope } = options;
  const attributes: Record<string, string> = { "aria-label": label, spellcheck: "false", autocapitalize: "off" };
  if (describedBy) attributes["aria-description"] = describedBy;
  return [
    history(),
    drawSelection(),
    dropCursor(),
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    replacing,
    theme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of(attributes),
    EditorState.readOnly.of(readOnly ?? false),
    tooltips({ position: "fixed" }),
    autocompletion({
      // The strings of JSON may contain expressions.
      override: language === "text" ? [] : [sourceOf(language === "json" ? "template" : language, scope)],
      icons: false,
      optionClass: ({ type }) => `weft-${type ?? "name"}`,
      activateOnCompletion: ({ type }) => type === "name",
      interactionDelay: 30,
    }),
    ...(language === "template" || language === "json" ? [bracePairs] : []),
    ...(lines === 1 ? [oneLine] : []),
    ...(numbered ? [lineNumbers()] : []),
    ...(options.placeholder ? [placeholder(options.placeholder)] : []),
    ...(languageOf(language) ? [languageOf(language)!.extension] : []),
    keymap.of([...completionKeymap, ...closeBracketsKeymap, ...OWN_KEYS, ...historyKeymap]),
    leaving(leave),
    EditorView.updateListener.of(update),
  ];
}

/**
 * Creates an editor in an element. It uses a shadow root, because CodeMirror then uses adopted style sheets, which the
 * page's content security policy allows.
 */
export function mount(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  root.replaceChildren();
  const parent = root.appendChild(document.createElement("div"));
  const leave = () => options.onLeave();
  const update = (change: ViewUpdate) => {
    if (change.docChanged) options.onChange(change.state.doc.toString());
    if (change.focusChanged && !change.view.hasFocus) options.onBlur(change.state.selection.main.head);
  };
  const extensions = extensionsOf(options, leave, update);
  const end = options.text.length;
  const selection = options.all ? { anchor: 0, head: end } : { anchor: Math.min(options.at ?? end, end) };
  const state = EditorState.create({ doc: options.text, selection, extensions });
  const view = new EditorView({ state, parent, root });
  return {
    focus: () => view.focus(),
    hasFocus: () => view.hasFocus,
    setText(text) {
      if (text === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setFaults: faults => view.dispatch(setDiagnostics(view.state, diagnosticsOf(faults, view.state.doc.length))),
    cursor: () => view.state.selection.main.head,
    insert(text) {
      view.dispatch(view.state.replaceSelection(text), { userEvent: "input.paste", scrollIntoView: true });
    },
    type(text) {
      for (const char of text) put(view, char);
    },
    destroy: () => view.destroy(),
  };
}
