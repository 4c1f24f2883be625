import { globSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Texts by path, relative to the project's root. */
type Texts = Record<string, string>;

const STRICT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
};

function programOf(roots: string[], options: ts.CompilerOptions, instead: Texts): ts.Program {
  const disk = ts.createCompilerHost(options);
  const textAt = new Map(Object.entries(instead).map(([path, text]) => [join(process.cwd(), path), text]));
  const at = (path: string) => textAt.get(join(path));
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: path => at(path) !== undefined || disk.fileExists(path),
    readFile: path => at(path) ?? disk.readFile(path),
    getSourceFile: (path, language) => {
      const text = at(path);
      return text === undefined ? disk.getSourceFile(path, language) : ts.createSourceFile(path, text, language);
    },
  };
  const paths = roots.map(path => join(process.cwd(), path));
  return ts.createProgram(paths, options, host);
}

function check(program: ts.Program, file?: ts.SourceFile): void {
  const faults = ts.getPreEmitDiagnostics(program, file).map(({ file, messageText }) => {
    return `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

/**
 * Compiles the SDK with these texts as its definition and its methods. Returns JavaScript modules and their
 * declarations, by file name. The check uses only the types of the web platform, so that the SDK does not depend on
 * Node.
 * @throws {Error} with the messages of the compiler when it does not compile
 */
export function compileSdk(definition: string, methods: string): Texts {
  const options = {
    ...STRICT,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.asynciterable.d.ts"],
    types: [],
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: "sdk",
    outDir: "/",
  };
  const program = programOf(globSync("sdk/*.ts"), options, {
    "sdk/definition.ts": definition,
    "sdk/methods.ts": methods,
  });
  check(program);
  const files: Texts = {};
  program.emit(undefined, (path, text) => (files[path.slice(1)] = text));
  return files;
}

const SAME = `
import type * as Made from "./made.ts";
import type * as Meant from "./definition.ts";

type Plain<T> = T extends readonly (infer I)[] ? Plain<I>[] : T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;
type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
type Differing<A, B> =
  | { [K in keyof A & keyof B]: Same<A[K], B[K]> extends true ? never : K }[keyof A & keyof B]
  | Exclude<keyof A, keyof B>
  | Exclude<keyof B, keyof A>;
type None<T extends never> = T;

export type Calls = None<Differing<Made.Calls, Meant.Calls>>;
export type Streams = None<Differing<Made.Streams, Meant.Streams>>;
`;

const nameOf = /^export (?:interface|type) (\w+)/gm;

/**
 * Compares a definition with the one that the compiler infers from the contracts: every call, stream and named type.
 * @throws {Error} with the differences
 */
export function compareWithInferred(definition: string): void {
  const names = [...definition.matchAll(nameOf)].map(([, name = ""]) => name);
  const named = names.map(
    name => `export type ${name}_ = None<Same<Made.${name}, Meant.${name}> extends true ? never : "${name}">;`,
  );
  const instead = { "sdk/made.ts": definition, "sdk/same.ts": SAME + named.join("\n") };
  const options = { ...STRICT, noEmit: true, lib: ["lib.es2024.d.ts"], types: ["node"] };
  const program = programOf(["sdk/same.ts"], options, instead);
  // Only these files are checked here; `npm run types` checks the sources.
  for (const path of Object.keys(instead)) check(program, program.getSourceFile(join(process.cwd(), path)));
}
