/** Longer texts are looked for by their first characters, and as a whole only where those occur. */
const MAX_HEAD = 128;
const ASCII = 128;

/** A part of a text, from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}

/** Adds a span behind others, and joins it with those that it overlaps. Either the starts or the ends are in order. */
function add(spans: Span[], start: number, end: number): void {
  for (let last = spans.at(-1); last && last.end > start; last = spans.at(-1)) {
    spans.pop();
    start = Math.min(start, last.start);
    end = Math.max(end, last.end);
  }
  spans.push({ start, end });
}

/**
 * Finds a text in another one, from a position on, in time proportional to the sum of both lengths, whatever they hold:
 * Knuth, Morris and Pratt (1977), https://doi.org/10.1137/0206024.
 */
function spansOf(wanted: string, text: string, from: number): Span[] {
  // For each prefix, the length of the longest shorter prefix with which it ends.
  const borders = new Uint32Array(wanted.length + 1);
  const extend = (length: number, code: number) => {
    while (length > 0 && (length === wanted.length || wanted.charCodeAt(length) !== code)) length = borders[length]!;
    return wanted.charCodeAt(length) === code ? length + 1 : length;
  };
  for (let at = 1; at < wanted.length; at++) borders[at + 1] = extend(borders[at]!, wanted.charCodeAt(at));
  const spans: Span[] = [];
  for (let at = from, length = 0; at < text.length; at++) {
    length = extend(length, text.charCodeAt(at));
    if (length === wanted.length) add(spans, at + 1 - length, at + 1);
  }
  return spans;
}

/**
 * Finds many texts in another one, in time proportional to its length: Aho and Corasick (1975),
 * https://doi.org/10.1145/360825.360855. A regular expression would try each text at each place, takes much memory, and
 * is refused if it is too long, with a message that quotes it.
 */
export class TextFinder {
  /** A node stands for the beginning of a text, 0 for the empty one. Most nodes have one child, for the next character. */
  readonly #code: Uint16Array;
  readonly #child: Uint32Array;
  readonly #otherChildren = new Map<number, Map<number, number>>();
  /** The children of the empty beginning, from where most characters of a text lead nowhere. */
  readonly #first = new Uint32Array(ASCII);
  /** The node of the longest beginning with which a node's own one ends. */
  readonly #fallback: Uint32Array;
  /** The length of the longest text with which a node's beginning ends. */
  readonly #found: Uint32Array;
  /** The texts that are longer than a head, by the node of their head. */
  readonly #long = new Map<number, string[]>();
  #nodes = 1;

  /** @param texts none of them empty */
  constructor(texts: readonly string[]) {
    const most = texts.reduce((sum, { length }) => sum + Math.min(length, MAX_HEAD), 1);
    this.#code = new Uint16Array(most);
    this.#child = new Uint32Array(most);
    this.#fallback = new Uint32Array(most);
    this.#found = new Uint32Array(most);
    for (const text of texts) this.#insert(text);
    this.#connect();
  }

  #next(node: number, code: number): number {
    if (node === 0 && code < ASCII) return this.#first[code]!;
    if (this.#code[node] === code) return this.#child[node]!;
    return this.#otherChildren.get(node)?.get(code) ?? 0;
  }

  #insert(text: string): void {
    let node = 0;
    const length = Math.min(text.length, MAX_HEAD);
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      node = this.#next(node, code) || this.#addChild(node, code);
    }
    if (text.length === length) this.#found[node] = length;
    else if (this.#long.has(node)) this.#long.get(node)!.push(text);
    else this.#long.set(node, [text]);
  }

  #addChild(node: number, code: number): number {
    const child = this.#nodes++;
    if (node === 0 && code < ASCII) this.#first[code] = child;
    if (this.#child[node] === 0) {
      this.#code[node] = code;
      this.#child[node] = child;
    } else {
      const others = this.#otherChildren.get(node) ?? new Map<number, number>();
      this.#otherChildren.set(node, others.set(code, child));
    }
    return child;
  }

  #follow(node: number, code: number): number {
    let next = this.#next(node, code);
    while (next === 0 && node !== 0) {
      node = this.#fallback[node]!;
      next = this.#next(node, code);
    }
    return next;
  }

  /** Fills the fallbacks, of shorter beginnings first. */
  #connect(): void {
    const nodes = [0];
    for (const node of nodes) {
      const connect = (code: number, child: number) => {
        const fallback = node === 0 ? 0 : this.#follow(this.#fallback[node]!, code);
        this.#fallback[child] = fallback;
        this.#found[child] ||= this.#found[fallback]!;
        nodes.push(child);
      };
      if (this.#child[node] !== 0) connect(this.#code[node]!, this.#child[node]!);
      this.#otherChildren.get(node)?.forEach((child, code) => connect(code, child));
    }
  }

  /** Returns the parts of `text` in which the texts occur, in order. Occurrences that overlap are one part. */
  spansIn(text: string): Span[] {
    const spans: Span[] = [];
    const heads = new Map<number, number>();
    const first = this.#first;
    for (let at = 0, node = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // Most characters begin none of the texts.
      if (node === 0 && code < ASCII && first[code] === 0) continue;
      node = this.#follow(node, code);
      if (node === 0) continue;
      const length = this.#found[node]!;
      if (length > 0) add(spans, at + 1 - length, at + 1);
      if (this.#long.has(node) && !heads.has(node)) heads.set(node, at + 1 - MAX_HEAD);
    }
    if (heads.size === 0) return spans;
    const long = [...heads].flatMap(([node, from]) => this.#long.get(node)!.flatMap(one => spansOf(one, text, from)));
    const all: Span[] = [];
    for (const { start, end } of [...spans, ...long].sort((a, b) => a.start - b.start)) add(all, start, end);
    return all;
  }
}
