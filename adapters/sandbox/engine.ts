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
/** Beyond the code's own memory, it includes memory for the C stack (5 MiB) and for incoming texts. */
const PAGES = ((MEMORY_MIB + 32) * MIB) / 65_536;
const FIRST_PAGES = 256;

/** QuickJS in WebAssembly, with its own memory. */
export interface Engine {
  quickjs: QuickJSWASMModule;
  /** Grows but never shrinks. */
  memory: WebAssembly.Memory;
}

// The package has CommonJS types, but Node loads it as a module.
const base = variant as unknown as QuickJSSyncVariant;
const compiled = readFile(fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"))).then(bytes =>
  WebAssembly.compile(bytes),
);

export async function createEngine(): Promise<Engine> {
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: PAGES });
  const wasm = { wasmModule: await compiled, wasmMemory: memory };
  return { quickjs: await newQuickJSWASMModuleFromVariant(newVariant(base, wasm)), memory };
}
