import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";
import { checkDefinition } from "../../core/graph/check-definition.ts";
import { anchors, blocks, DOCUMENTS, links, read, section } from "../support/markdown.ts";

const PROMISE =
  "exactly-once state transitions, at-least-once effects of a step that was cut off, with a stable idempotency key";

describe("the README", () => {
  const readme = read("README.md");

  it("stays short", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(12 * 1024);
  });

  it("makes only promises that are kept", () => {
    expect(readme.replace(/\s+/g, " ").replaceAll("**", "")).toContain(PROMISE);
    for (const path of DOCUMENTS) expect(read(path)).not.toMatch(/exactly-once effects/i);
  });
});

describe("the documents", () => {
  it.each(DOCUMENTS)("links from %s only to files and headings that exist", path => {
    const text = read(path);
    const local = links(text).filter(target => !/^(https?:|mailto:)/.test(target));
    const broken = local.filter(target => {
      const [file = "", anchor] = target.split("#");
      const to = file === "" ? path : posix.join(posix.dirname(path), file);
      if (!existsSync(to)) return true;
      return anchor !== undefined && !(statSync(to).isFile() && anchors(read(to)).has(anchor));
    });
    expect(broken).toEqual([]);
  });

  it.each(DOCUMENTS.filter(path => path !== "docs/README.md"))("%s is listed in an index", path => {
    const index = path.startsWith("docs/adr/0") ? "docs/adr/README.md" : "docs/README.md";
    const listed = links(read(index)).map(target => posix.join(posix.dirname(index), target.split("#")[0]!));
    expect(listed).toContain(path);
  });

  it("show definitions that can run", () => {
    const shown = DOCUMENTS.flatMap(path => blocks(read(path), "json"))
      .map(code => JSON.parse(code) as Record<string, unknown>)
      .filter(value => "nodes" in value);
    expect(shown.length).toBeGreaterThan(4);
    for (const definition of shown) expect(checkDefinition(definition)).toEqual([]);
  });

  it("name every benchmark command", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const benches = Object.keys(scripts).filter(name => name.startsWith("bench"));
    const named = read("CONTRIBUTING.md").matchAll(/`(?:npm run )?(bench[a-z:-]*)`/g);
    expect([...named].map(([, name]) => name).toSorted()).toEqual(benches.toSorted());
  });

  it("can be read by heading", () => {
    expect(section("# a\n\n## b\ntext\n### c\nmore\n## d\nend", "## b")).toBe("text\n### c\nmore");
    expect(() => section("# a", "## b")).toThrow("There is no");
  });
});
