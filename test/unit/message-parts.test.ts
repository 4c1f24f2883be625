import fc from "fast-check";
import { cut, labelText, Parts } from "../../adapters/transport/parts.ts";

const label = (sender: string, message: number, index: number, count: number) =>
  labelText({ sender, message, index, count });

/** All parts of a message, given in this order; what came out, by part. */
function given(parts: Parts, sender: string, message: number, chunks: Uint8Array[], order = chunks.map((_, i) => i)) {
  return order.map(i => parts.add(label(sender, message, i, chunks.length), chunks[i]!, 0));
}

describe("a message in parts", () => {
  it("is restored from its parts", () => {
    const message = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(message, fc.integer({ min: 1, max: 50 }), (bytes, size) => {
        const chunks = cut(bytes, size);
        expect(chunks.every(chunk => chunk.length <= size && chunk.length > 0)).toBe(true);
        const out = given(new Parts(1_000), "node-1", 0, chunks);
        expect(out.slice(0, -1).every(whole => whole === undefined)).toBe(true);
        expect(out.at(-1)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it("is kept apart from messages of other senders", () => {
    const parts = new Parts(1_000);
    const chunks = cut(Buffer.from("abcd"), 2);
    expect(parts.add(label("one", 7, 0, 2), chunks[0]!, 0)).toBeUndefined();
    expect(parts.add(label("two", 7, 0, 2), Buffer.from("xx"), 0)).toBeUndefined();
    expect(String(parts.add(label("one", 7, 1, 2), chunks[1]!, 0))).toBe("abcd");
    expect(String(parts.add(label("two", 7, 1, 2), Buffer.from("yy"), 0))).toBe("xxyy");
  });

  it("is dropped if a part is missing, and the next one is complete again", () => {
    const parts = new Parts(1_000);
    const chunks = cut(Buffer.from("abcdef"), 2);
    expect(given(parts, "one", 0, chunks, [0, 2])).toEqual([undefined, undefined]);
    expect(given(parts, "one", 1, chunks, [1, 2])).toEqual([undefined, undefined]);
    expect(String(given(parts, "one", 2, chunks).at(-1))).toBe("abcdef");
  });

  it("is dropped if it is too large, mislabelled, or its sender stopped", () => {
    const chunks = cut(Buffer.from("abcdef"), 2);
    expect(given(new Parts(5), "one", 0, chunks)).toEqual([undefined, undefined, undefined]);
    expect(new Parts(5).add("one 0 0", Buffer.from("a"), 0)).toBeUndefined();
    const parts = new Parts(10);
    given(parts, "one", 0, chunks, [0, 1]);
    parts.clear();
    expect(given(parts, "one", 0, chunks, [2])).toEqual([undefined]);
    given(parts, "one", 1, chunks, [0, 1]);
    parts.add(label("two", 0, 0, 2), Buffer.from("x"), 60_000);
    expect(given(parts, "one", 1, chunks, [2])).toEqual([undefined]);
  });
});
