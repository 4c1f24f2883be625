import variant from "@jitl/quickjs-wasmfile-release-sync";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { MEMORY_MIB } from "../../core/code/limits.ts";

export const MIB = 1_024 * 1_024;
/** With what the C stack (5 MiB) and texts on their way in need beyond the code's own memory. */
const PAGES = ((MEMORY_MIB + 32) * MIB) / 65_536;
const FIRST_PAGES = 256;

/** QuickJS in WebAssembly, with memory of its own. */
export interface Engine {
  quickjs: QuickJSWASMModule;
  /** It only ever grows. */
  memory: WebAssembly.Memory;
}

// Typed as a CommonJS package, but Node loads it as a module.
const base = variant as unknown as QuickJSSyncVariant;
const compiled = readFile(fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"))).then(bytes =>
  WebAssembly.compile(bytes),
);

export async function createEngine(): Promise<Engine> {
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: PAGES });
  const wasm = { wasmModule: await compiled, wasmMemory: memory };
  return { quickjs: await newQuickJSWASMModuleFromVariant(newVariant(base, wasm)), memory };
}
