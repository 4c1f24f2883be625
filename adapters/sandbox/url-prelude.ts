/** Runs inside the sandbox, like `webPrelude`, and adds `URL` and `URLSearchParams`. `ask` is the same. */
export function urlPrelude(ask: (call: string) => string): void {
  const { parse, stringify } = JSON;
  const [text, AnyTypeError] = [String, TypeError];

  const request = (name: string, ...args: unknown[]): unknown => {
    const answer = parse(ask(stringify({ __proto__: null, name, args }))) as {
      value?: unknown;
      error?: { message: string };
    };
    if (!answer.error) return answer.value;
    throw new AnyTypeError(answer.error.message);
  };
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

  type Pair = [string, string];
  class SandboxParams {
    #pairs: Pair[];
    readonly #changed: ((query: string) => void) | undefined;
    constructor(given: unknown = "", changed?: (query: string) => void) {
      const pairs: Iterable<readonly unknown[]> | undefined =
        typeof given !== "object" || given === null
          ? undefined
          : Symbol.iterator in given
            ? (given as Iterable<readonly unknown[]>)
            : Object.entries(given);
      this.#pairs = pairs
        ? [...pairs].map(([name, value]): Pair => [text(name), text(value)])
        : (request("readQuery", text(given)) as Pair[]);
      this.#changed = changed;
    }
    #set(pairs: Pair[]): void {
      this.#pairs = pairs;
      this.#changed?.(this.toString());
    }
    append(name: unknown, value: unknown): void {
      this.#set([...this.#pairs, [text(name), text(value)]]);
    }
    delete(name: unknown): void {
      this.#set(this.#pairs.filter(([key]) => key !== text(name)));
    }
    get(name: unknown): string | null {
      return this.#pairs.find(([key]) => key === text(name))?.[1] ?? null;
    }
    getAll(name: unknown): string[] {
      return this.#pairs.filter(([key]) => key === text(name)).map(([, value]) => value);
    }
    has(name: unknown): boolean {
      return this.#pairs.some(([key]) => key === text(name));
    }
    set(name: unknown, value: unknown): void {
      const at = this.#pairs.findIndex(([key]) => key === text(name));
      const pair: Pair = [text(name), text(value)];
      const others = this.#pairs.filter(([key], i) => key !== pair[0] || i === at);
      this.#set(at < 0 ? [...others, pair] : others.map(each => (each[0] === pair[0] ? pair : each)));
    }
    sort(): void {
      this.#set(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    }
    forEach(act: (value: string, name: string, params: this) => void): void {
      for (const [name, value] of this.#pairs) act(value, name, this);
    }
    keys = () => this.#pairs.map(([name]) => name)[Symbol.iterator]();
    values = () => this.#pairs.map(([, value]) => value)[Symbol.iterator]();
    entries = () => this.#pairs.map((pair): Pair => [...pair])[Symbol.iterator]();
    [Symbol.iterator] = () => this.entries();
    get size(): number {
      return this.#pairs.length;
    }
    toString(): string {
      return text(request("writeQuery", this.#pairs));
    }
  }
  define("URLSearchParams", SandboxParams);

  const PARTS = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
  let part: (url: SandboxUrl, name: string) => string;
  let change: (url: SandboxUrl, name: string, value: unknown) => void;
  class SandboxUrl {
    #parts: Record<string, string>;
    #params: SandboxParams | undefined;
    constructor(address: unknown, base?: unknown) {
      this.#parts = request("url", text(address), base === undefined ? null : text(base)) as Record<string, string>;
    }
    static {
      part = (url, name) => url.#parts[name]!;
      change = (url, name, value) => {
        url.#parts = request("setUrl", url.#parts.href, name, text(value)) as Record<string, string>;
        if (name === "href" || name === "search") url.#params = undefined;
      };
    }
    static canParse(address: unknown, base?: unknown): boolean {
      try {
        return Boolean(new SandboxUrl(address, base));
      } catch {
        return false;
      }
    }
    get origin(): string {
      return this.#parts.origin!;
    }
    get searchParams(): SandboxParams {
      return (this.#params ??= new SandboxParams(this.#parts.search, query => {
        this.#parts = request("setUrl", this.#parts.href, "search", query) as Record<string, string>;
      }));
    }
    toString(): string {
      return this.#parts.href!;
    }
    toJSON(): string {
      return this.#parts.href!;
    }
  }
  for (const name of PARTS) {
    Object.defineProperty(SandboxUrl.prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: SandboxUrl) {
        return part(this, name);
      },
      set(this: SandboxUrl, value: unknown) {
        change(this, name, value);
      },
    });
  }
  define("URL", SandboxUrl);
}
