import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { words as filters } from "../../console/messages/en-run-filters.ts";

const FOLDER = "console";
/** Stories are for developers. */
const FILES = globSync(`${FOLDER}/**/*.{ts,tsx}`, { exclude: [`${FOLDER}/dist/**`, `${FOLDER}/stories/**`] });
const OUTSIDE = FILES.filter(path => !path.startsWith(`${FOLDER}/messages/`));

const hasWords = (text: string) => /\p{L}{2}/u.test(text);
/** Attributes and fields whose values people read or hear. */
const READ = /^(aria-label|aria-description|alt|title|label|hint|placeholder|detail|description|lead|nothing)$/;

/** Names of formats and of what the API calls something. */
const CODE = /^JSON$|^[a-z]+\.[a-z]+$/;

const isText = (node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);

/** The words that an expression may give, through conditions and templates. */
function wordsOf(node: ts.Expression | undefined): string[] {
  if (!node) return [];
  if (isText(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return wordsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...wordsOf(node.whenTrue), ...wordsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const isPlus = kind === ts.SyntaxKind.PlusToken;
    return [...(isPlus ? wordsOf(node.left) : []), ...wordsOf(node.right)];
  }
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.flatMap(span => [...wordsOf(span.expression), span.literal.text])];
  }
  return [];
}

/** The words at this place of the source that people would see. */
function seen(node: ts.Node): string[] {
  if (ts.isJsxText(node)) return [node.text];
  if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) return wordsOf(node.expression);
  if (ts.isJsxAttribute(node) && READ.test(node.name.getText()) && node.initializer) {
    const { initializer } = node;
    return ts.isJsxExpression(initializer)
      ? wordsOf(initializer.expression)
      : isText(initializer)
        ? [initializer.text]
        : [];
  }
  if (ts.isPropertyAssignment(node) && READ.test(node.name.getText())) return wordsOf(node.initializer);
  if (ts.isCallExpression(node) && /^toast\b|^say$/.test(node.expression.getText()))
    return node.arguments.flatMap(wordsOf);
  return [];
}

function inFile(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    // Commands and addresses are the same in all languages.
    if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === "code") return;
    for (const text of seen(node)) if (hasWords(text) && !CODE.test(text)) found.push(`${path}: ${text.trim()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it("takes every visible text from the messages", () => {
  expect(OUTSIDE.flatMap(inFile)).toEqual([]);
});

it("formats numbers, times and lists only in the messages", () => {
  const used = OUTSIDE.filter(path => /\bnew Intl\.|\.toLocale\w*String\(/.test(readFileSync(path, "utf8")));
  expect(used).toEqual([]);
});

it("ends the hints of the filters of runs with a full stop, like those of other forms", () => {
  const hints = Object.entries(filters).filter(([name]) => name.endsWith("Hint"));
  expect(hints.map(([, text]) => text).filter(text => !text.endsWith("."))).toEqual([]);
});
