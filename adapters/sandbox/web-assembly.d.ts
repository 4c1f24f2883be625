/** What the sandbox uses of WebAssembly, which Node has and its type definitions lack. */
declare namespace WebAssembly {
  type Module = object;
  function compile(bytes: Uint8Array): Promise<Module>;

  class Memory {
    /** In pages of 64 KiB. */
    constructor(size: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
}
