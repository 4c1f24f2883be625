import ts from "typescript";
import type { Files } from "./architecture.ts";

/**
 * Folders whose code runs in the service, and whose outgoing calls others may request. Users run the code of the other
 * folders for themselves.
 */
const LAYERS = /^(adapters|config|contracts|core|middlewares|service-kit|services|telemetry)\//;
/** The guard itself. */
const GUARD = "adapters/net/";

const CLIENTS =
  /^(\.\.?\/(.+\/)?undici\.ts|(node:)?(https?|http2|net|tls|dgram|dns(\/promises)?)|undici|axios|got|node-fetch|ws|eventsource|nats|@modelcontextprotocol\/client(\/.+)?)$/;
const GLOBALS = new Set(["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]);

/**
 * Other code with a client: a file, or a folder with its slash, the client, and why no user can steer where it
 * connects.
 */
export const EXCEPTIONS: readonly (readonly [where: string, uses: string, why: string])[] = [
  ["adapters/models/transport.ts", "../net/undici.ts", "calls the address that the operator configured"],
  ["adapters/files/s3-store.ts", "undici", "calls the address that the operator configured"],
  ["adapters/search/qdrant/client.ts", "undici", "calls the address that the operator configured"],
  ["adapters/transport/nats-transporter.ts", "nats", "calls the address that the operator configured"],
  ["adapters/mcp/", "@modelcontextprotocol/client", "has nothing to call with but the guarded fetch that it is given"],
  ["services/gateway/http/http-server.ts", "node:http", "listens"],
  ["telemetry/metrics-page.ts", "node:http", "listens"],
  ["services/identity/address-ranges.ts", "node:net", "compares addresses"],
  ["adapters/transport/connection-options.ts", "node:net", "tells an address from a name"],
];

const isBound = (name: ts.BindingName, wanted: string): boolean =>
  ts.isIdentifier(name)
    ? name.text === wanted
    : name.elements.some(element => !ts.isOmittedExpression(element) && isBound(element.name, wanted));

/** Whether this enclosing node declares the name, so that it does not refer to the global. */
function declares(node: ts.Node, name: string): boolean {
  if (ts.isFunctionLike(node) && node.parameters.some(parameter => isBound(parameter.name, name))) return true;
  if (!ts.isBlock(node) && !ts.isSourceFile(node)) return false;
  return node.statements.some(statement => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.some(one => isBound(one.name, name));
    if (ts.isFunctionDeclaration(statement)) return statement.name?.text === name;
    if (!ts.isImportDeclaration(statement)) return false;
    const bindings = statement.importClause?.namedBindings;
    return (
      bindings !== undefined && ts.isNamedImports(bindings) && bindings.elements.some(one => one.name.text === name)
    );
  });
}

/** Whether an identifier refers to a value, and is not a property, a declaration or a type. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent))
    return parent.expression === node || (parent.expression as ts.Identifier).text === "globalThis";
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isArrowFunction(parent)) return parent.body === node;
  return ts.isExpression(parent) || (ts.isVariableDeclaration(parent) && parent.initializer === node)
    ? !ts.isFunctionLike(parent)
    : ts.isReturnStatement(parent) || (ts.isPropertyAssignment(parent) && parent.initializer === node);
}

function globalsOf(source: string): string[] {
  const found = new Set<string>();
  const file = ts.createSourceFile("a.ts", source, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node, around: readonly ts.Node[]): void => {
    if (ts.isIdentifier(node) && GLOBALS.has(node.text) && isUse(node)) {
      if (!around.some(one => declares(one, node.text))) found.add(node.text);
    }
    ts.forEachChild(node, child => visit(child, [...around, node]));
  };
  visit(file, []);
  return [...found];
}

/**
 * Modules that Node provides without an import, by their name, or by the name of the function if the module's name is
 * computed.
 */
const GIVEN = /\bgetBuiltinModule\b(?:\(\s*(["'`])([\w:/]+)\1\s*\))?/g;

const givenModulesOf = (source: string): string[] =>
  [...source.matchAll(GIVEN)]
    .map(([, , name]) => name ?? "getBuiltinModule")
    .filter(name => name === "getBuiltinModule" || CLIENTS.test(name));

function clientsOf(source: string): string[] {
  const file = ts.createSourceFile("a.ts", source, ts.ScriptTarget.Latest);
  const types = new Set(
    file.statements
      .filter(ts.isImportDeclaration)
      .filter(one => one.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
      .map(one => (one.moduleSpecifier as ts.StringLiteral).getStart(file)),
  );
  const imported = ts
    .preProcessFile(source)
    .importedFiles.filter(({ fileName, pos }) => CLIENTS.test(fileName) && !types.has(pos))
    .map(({ fileName }) => fileName);
  return [...imported, ...givenModulesOf(source)];
}

/** The files that could connect without the guard, and unnecessary exceptions, one sentence each. */
export function outboundFaults(files: Files, exceptions = EXCEPTIONS): string[] {
  const used = Object.entries(files)
    .filter(([path]) => LAYERS.test(path) && !path.startsWith(GUARD))
    .flatMap(([path, source]) => [...clientsOf(source), ...globalsOf(source)].map(what => ({ path, what })));
  const excepts = ([where, uses]: (typeof EXCEPTIONS)[number], { path, what }: (typeof used)[number]) =>
    uses === what && (where.endsWith("/") ? path.startsWith(where) : path === where);
  return [
    ...used
      .filter(one => !exceptions.some(exception => excepts(exception, one)))
      .map(({ path, what }) => `${path} uses ${what}: only ${GUARD} calls out`),
    ...exceptions
      .filter(exception => !used.some(one => excepts(exception, one)))
      .map(([where, uses]) => `${where} does not use ${uses}: the exception is not needed`),
  ];
}
