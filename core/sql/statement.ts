/** Comments before the first word. Comments that MySQL executes (`/*!`) do not count. */
const LEADING = /^(?:\s+|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*(?!!|M!)(?:[^*]|\*(?!\/))*\*\/)/;
/** Statements that end the step's own transaction. */
const TRANSACTION = new Set(
  "begin start commit end rollback abort savepoint release xa prepare deallocate lock unlock".split(" "),
);
/** Statements that change the connection for other steps that use it later. */
const SESSION = new Set("set reset use listen unlisten discard handler kill".split(" "));
/** Statements that read or write files, or run programs. */
const FILES = new Set("copy load".split(" "));

/** The first word of a statement, in lower case. */
function firstWord(text: string): string {
  let rest = text;
  for (let found = LEADING.exec(rest); found; found = LEADING.exec(rest)) rest = rest.slice(found[0].length);
  return /^(?:\/\*M?!|[a-z]+)/i.exec(rest)?.[0].toLowerCase() ?? "";
}

/** Why a step cannot perform a statement; undefined if it can. */
export function statementFault(text: string): string | undefined {
  const word = firstWord(text);
  const shown = `\`${word.toUpperCase()}\``;
  if (word === "") return "Expected an SQL statement.";
  if (word.startsWith("/*")) return "A comment that is executed cannot stand before a statement.";
  if (TRANSACTION.has(word)) return `${shown} is not possible: the statements of a step are one transaction.`;
  if (SESSION.has(word)) return `${shown} is not possible: other steps use the same connection.`;
  if (FILES.has(word)) return `${shown} is not possible: it moves files. Pass values as parameters.`;
  return undefined;
}
