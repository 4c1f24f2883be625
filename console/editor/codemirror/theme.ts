import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { TAGS } from "./language.ts";

// The colours are custom properties of `tokens.css`, which apply inside of the shadow root too.
const looks = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "transparent", fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px", overflow: "auto" },
  ".cm-content": { padding: "5px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "none" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in oklab, var(--indigo) 24%, transparent)",
  },
  ".cm-placeholder": { color: "var(--ink-3)" },
  ".cm-tooltip": {
    backgroundColor: "var(--card)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
    boxShadow: "var(--float)",
    zIndex: "20",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)",
    fontSize: "12px",
    maxHeight: "240px",
    minWidth: "240px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    gap: "12px",
    padding: "3px 10px",
    lineHeight: "20px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--selected)", color: "var(--ink)" },
  ".cm-completionLabel": { whiteSpace: "nowrap" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700", color: "var(--indigo)" },
  ".cm-completionDetail": {
    marginLeft: "auto",
    fontStyle: "normal",
    color: "var(--ink-2)",
    maxWidth: "260px",
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  ".weft-useless .cm-completionLabel": { color: "var(--ink-3)" },
  ".cm-completionInfo": {
    font: "var(--text-12)",
    padding: "6px 10px",
    maxWidth: "280px",
    color: "var(--ink-2)",
    whiteSpace: "pre-line",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--madder) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-diagnostic": { font: "var(--text-12)", padding: "4px 10px", borderLeftColor: "var(--madder)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--pressed)", outline: "none" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent", color: "var(--madder)" },
});

/** The same colours as in `static-text.module.css`. */
const highlight = HighlightStyle.define([
  { tag: TAGS.brace, color: "var(--indigo)", fontWeight: "600" },
  { tag: [tags.propertyName, tags.variableName, tags.definition(tags.variableName)], color: "var(--ink)" },
  { tag: TAGS.function, color: "var(--orchil)" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: "var(--verdigris)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--weld)" },
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--orchil)" },
  { tag: [tags.operator, tags.punctuation, tags.bracket], color: "var(--ink-2)" },
  { tag: tags.comment, color: "var(--ink-3)" },
]);

export const theme: Extension = [looks, syntaxHighlighting(highlight)];
