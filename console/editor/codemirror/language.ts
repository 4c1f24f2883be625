import { javascriptLanguage } from "@codemirror/lang-javascript";
import { jsonLanguage } from "@codemirror/lang-json";
import { type Language as CodeLanguage, StreamLanguage } from "@codemirror/language";
import { type Tag, tags } from "@lezer/highlight";
import { type Kind, type Language, type LexState, nextPiece, startState } from "../tokens.ts";

export const TAGS: Record<Exclude<Kind, null>, Tag> = {
  brace: tags.special(tags.brace),
  name: tags.propertyName,
  function: tags.function(tags.variableName),
  string: tags.string,
  number: tags.number,
  keyword: tags.keyword,
  operator: tags.operator,
  comment: tags.comment,
};

/** The CodeMirror language that colours text as `tokensOf` does. */
const streamOf = (language: Language): CodeLanguage =>
  StreamLanguage.define<LexState>({
    name: language,
    startState,
    copyState: state => ({ ...state }),
    token(stream, state) {
      const { to, kind } = nextPiece(stream.string, stream.pos, state, language);
      stream.pos = to;
      return kind;
    },
    tokenTable: TAGS,
  });

const LANGUAGES: Record<Exclude<Language, "text">, CodeLanguage> = {
  template: streamOf("template"),
  expression: streamOf("expression"),
  json: jsonLanguage,
  javascript: javascriptLanguage,
};

export const languageOf = (language: Language): CodeLanguage | undefined =>
  language === "text" ? undefined : LANGUAGES[language];
