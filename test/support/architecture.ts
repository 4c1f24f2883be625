import { posix } from "node:path";
import ts from "typescript";

/** Source texts by path from the root of the project, with forward slashes. */
export type Files = Record<string, string>;

interface Import {
  /** A file by its path from the root, or a package by its name. */
  target: string;
  ours: boolean;
  /** True if the import is removed at run time. */
  typeOnly: boolean;
}

const MAX_LINES = 250;
const MAX_TEST_LINES = 400;

/** Which of our folders a folder, or a file at the root, may import besides itself. */
export const MAY_IMPORT: Record<string, string[]> = {
  contracts: [],
  core: ["contracts"],
  config: [],
  telemetry: [],
  adapters: ["contracts", "core", "telemetry"],
  middlewares: ["contracts", "core", "telemetry"],
  "service-kit": ["contracts", "core", "adapters", "telemetry", "config.ts"],
  services: ["contracts", "core", "adapters", "middlewares", "service-kit", "telemetry", "config.ts"],
  sdk: ["contracts"],
  cli: ["sdk", "core", "adapters", "services", "service-kit", "config", "config.ts"],
  console: ["sdk", "contracts"],
  "config.ts": ["config"],
  "broker-options.ts": ["config.ts", "config", "telemetry", "middlewares", "adapters"],
  "moleculer.config.ts": ["broker-options.ts", "config"],
};

/**
 * Which other folders of a large service each of its folders may import. Files next to these folders connect them: they
 * may import every folder, and no folder may import them.
 */
export const LAYERS_INSIDE: Record<string, Record<string, string[]>> = {
  gateway: {
    http: [],
    request: ["http"],
    access: ["http"],
    archive: ["http", "request"],
    deliveries: ["http", "request", "access"],
    events: ["http", "access"],
    openapi: ["request", "events"],
    docs: ["http", "openapi"],
    console: ["http"],
    mcp: ["http", "request", "access", "events", "openapi"],
  },
  executions: {
    store: [],
    engine: ["store"],
    stats: ["store"],
    upkeep: ["store", "engine", "stats"],
    actions: ["store", "engine", "stats", "upkeep"],
  },
};

/** Folders that may import everything, and that others must not import. */
const OUTSIDE = ["test", "bench", "scripts"];

/**
 * Imports and calls with side effects or unpredictable results: files, network, clock, randomness. `node:vm` is
 * allowed, because it parses users' code.
 */
const IMPURE_IMPORT = /^(node:(?!(util|vm)$)|moleculer|mongoose|undici|nats|uuid)/;
const IMPURE_CALL =
  /\b(Date\.now\(|new Date\(\)|Math\.random\(|performance\.now\(|setTimeout\(|setInterval\(|process\.)/;

const layerOf = (path: string) => path.split("/")[0] ?? path;

const isTypeOnly = (statement: ts.ImportDeclaration | ts.ExportDeclaration) =>
  ts.isImportDeclaration(statement)
    ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    : statement.isTypeOnly;

function specifiersOf(path: string, source: string): Import[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const typesAt = new Set(
    file.statements
      .filter(statement => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
      .filter(isTypeOnly)
      .map(({ moduleSpecifier }) => moduleSpecifier?.getStart(file)),
  );
  // Also finds dynamic imports and require, which the syntax tree's statements do not show.
  return ts.preProcessFile(source).importedFiles.map(({ fileName, pos }) => ({
    target: fileName,
    ours: fileName.startsWith("."),
    typeOnly: typesAt.has(pos),
  }));
}

function importsOf(path: string, source: string): Import[] {
  return specifiersOf(path, source).map(one =>
    one.ours ? { ...one, target: posix.join(posix.dirname(path), one.target) } : one,
  );
}

function directionFault(path: string, target: string): string | undefined {
  const [from, to] = [layerOf(path), layerOf(target)];
  if (OUTSIDE.includes(from)) return undefined;
  if (!MAY_IMPORT[from]) return `${path} is in a layer that the rules do not know`;
  if (from !== to && !MAY_IMPORT[from].includes(to)) return `${path} imports ${target}: ${from} may not import ${to}`;
  if (from !== "services" || to !== "services") return undefined;
  return path.split("/")[1] === target.split("/")[1]
    ? insideFault(path, target)
    : `${path} imports ${target}: a service may not import another`;
}

/** The folder inside a service that a file is in; undefined for files next to the folders. */
function layerInside(path: string): string | undefined {
  const [, , layer, file] = path.split("/");
  return file === undefined ? undefined : layer;
}

function insideFault(path: string, target: string): string | undefined {
  const layers = LAYERS_INSIDE[path.split("/")[1] ?? ""];
  const [from, to] = [layerInside(path), layerInside(target)];
  if (!layers || from === undefined || from === to) return undefined;
  if (!layers[from]) return `${path} is in a layer that the rules do not know`;
  if (to === undefined) return `${path} imports ${target}: a layer may not import a file beside it`;
  return layers[from].includes(to) ? undefined : `${path} imports ${target}: ${from} may not import ${to}`;
}

function purityFaults(path: string, source: string): string[] {
  if (layerOf(path) !== "core") return [];
  const imports = specifiersOf(path, source).filter(({ target }) => IMPURE_IMPORT.test(target));
  const call = IMPURE_CALL.exec(source)?.[0];
  return [
    ...imports.map(({ target }) => `${path} imports ${target}: core is pure`),
    ...(call ? [`${path} uses ${call}: core is pure`] : []),
  ];
}

/**
 * Mongoose loads MongoDB's driver, which the embedded store must not need. Only files of that driver may import it, so
 * that collections are defined in the same order of imports everywhere, including tests.
 */
function mongooseFaults(path: string, imports: readonly Import[]): string[] {
  if (path.endsWith(".d.ts")) return [];
  const may = path.startsWith("adapters/store/mongo/") ? "mongoose" : "mongoose/lib/schema.js";
  return imports
    .filter(({ target, typeOnly }) => /^mongoose(\/|$)/.test(target) && !typeOnly && target !== may)
    .map(({ target }) => `${path} imports ${target}: only adapters/store/mongo loads Mongoose`);
}

/** The SDK runs in browsers, so neither it nor our files that it loads may load anything else. */
function webFaults(imports: Map<string, Import[]>): string[] {
  const loaded = new Set([...imports.keys()].filter(path => layerOf(path) === "sdk"));
  const faults: string[] = [];
  // The loop also visits files that are added meanwhile.
  for (const path of loaded) {
    for (const { target, ours, typeOnly } of imports.get(path) ?? []) {
      if (typeOnly) continue;
      if (ours) loaded.add(target);
      else faults.push(`${path} imports ${target}: the SDK runs in browsers`);
    }
  }
  return faults;
}

/**
 * The console runs in browsers. It imports types from the contracts, calls from the SDK, and components from Base UI.
 */
function consoleFaults(path: string, imports: readonly Import[]): string[] {
  if (layerOf(path) !== "console") return [];
  const folder = path.split("/")[1];
  return imports.flatMap(({ target, ours, typeOnly }) => {
    const fault = (why: string) => [`${path} imports ${target}: ${why}`];
    if (target.startsWith("node:")) return fault("the console runs in browsers");
    if (typeOnly) return [];
    if (ours && layerOf(target) === "contracts") return fault("the console may import types alone from contracts");
    if (ours && layerOf(target) === "sdk" && folder !== "data") return fault("only console/data calls the SDK");
    if (/^@base-ui\//.test(target) && folder !== "ui") return fault("only console/ui uses Base UI");
    return [];
  });
}

function sizeFault(path: string, source: string): string | undefined {
  const lines = source.trimEnd().split("\n").length;
  const limit = layerOf(path) === "test" ? MAX_TEST_LINES : MAX_LINES;
  return lines > limit ? `${path} has ${lines} lines, more than ${limit}` : undefined;
}

/** Import cycles, each once. Type imports count, because readers have to follow them as well. */
function cycles(graph: Map<string, string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    if (done.has(path)) return;
    const start = trail.indexOf(path);
    if (start >= 0) {
      found.push(`${[...trail.slice(start), path].join(" → ")} is a circle`);
      return;
    }
    trail.push(path);
    for (const target of graph.get(path) ?? []) visit(target);
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return found;
}

function serviceFaults(paths: string[], names: readonly string[]): string[] {
  const folders = new Set(paths.filter(path => /^services\/[^/]+\//.test(path)).map(path => path.split("/")[1]!));
  return [...folders].flatMap(folder => [
    ...(paths.includes(`services/${folder}/${folder}.service.ts`)
      ? []
      : [`services/${folder} has no ${folder}.service.ts`]),
    ...(names.includes(folder) ? [] : [`services/${folder} is not one of config.ts's SERVICE_NAMES`]),
  ]);
}

/** Every violation of the architecture in these files, as sentences. */
export function breaches(files: Files, serviceNames: readonly string[]): string[] {
  const entries = Object.entries(files);
  const all = new Map(entries.map(([path, source]) => [path, importsOf(path, source)]));
  const imports = new Map([...all].map(([path, found]) => [path, found.filter(({ ours }) => ours)]));
  const graph = new Map([...imports].map(([path, found]) => [path, found.map(one => one.target)]));
  return [
    ...[...imports].flatMap(([path, found]) => found.flatMap(one => directionFault(path, one.target) ?? [])),
    ...entries.flatMap(([path, source]) => [...purityFaults(path, source), sizeFault(path, source) ?? []].flat()),
    ...cycles(graph),
    ...[...all].flatMap(([path, found]) => mongooseFaults(path, found)),
    ...webFaults(all),
    ...[...all].flatMap(([path, found]) => consoleFaults(path, found)),
    ...serviceFaults(Object.keys(files), serviceNames),
  ];
}
