import { compare } from "../../console/builder/diff/compare.ts";
import { outlineOf } from "../../console/builder/outline-rows.ts";
import { readDefinition } from "../../console/builder/document/index.ts";

const step = (id: string, data: object = {}, x = 0) => ({ id, type: "http", position: { x, y: 0 }, data });

const of = (definition: object, name = "Orders") => ({ meta: { name, description: "" }, definition });

describe("two versions of a workflow", () => {
  const older = {
    nodes: [step("a", { url: "x" }), step("b"), step("c")],
    edges: [
      { source: "a", target: "b" },
      { source: "b", target: "c" },
    ],
    settings: { timeoutMs: 1 },
  };
  const newer = {
    nodes: [step("a", { url: "y", method: "PUT" }), step("c", {}, 100), step("d")],
    edges: [
      { source: "a", target: "c" },
      { source: "c", sourceHandle: "out", target: "d" },
    ],
    settings: { timeoutMs: 2 },
  };

  it("are compared by step, field, edge and setting, and removed parts stay visible", () => {
    const { state, marks, edgeMarks, differences } = compare(of(older), of(newer));
    expect([...state.nodes.keys()]).toEqual(["a", "c", "d", "b"]);
    expect(Object.fromEntries(marks)).toEqual({ a: "changed", d: "added", b: "removed" });
    expect([...edgeMarks.values()]).toEqual(["added", "added", "removed", "removed"]);
    expect(differences.map(({ mark, title }) => `${mark} ${title}`)).toEqual([
      "changed a",
      "moved c",
      "added d",
      "removed b",
      "added a → c",
      "added c → d",
      "removed a → b",
      "removed b → c",
      "changed ",
    ]);
    expect(differences[0]!.fields).toEqual([
      { name: "data.url", from: "x", to: "y" },
      { name: "data.method", from: undefined, to: "PUT" },
    ]);
  });

  it("have their names compared", () => {
    const { differences } = compare(of(older), of(older, "Returns"));
    expect(differences).toMatchObject([{ id: undefined, fields: [{ name: "name", from: "Orders", to: "Returns" }] }]);
  });

  it("have their notes compared, with the change of each or that it was only moved", () => {
    const note = { id: "n1", text: "# Why\nSlow on Mondays", x: 0, y: 0, width: 240, height: 120, steps: ["a"] };
    const other = { ...note, id: "n2", text: "", steps: [] };
    const noted = (...notes: object[]) => of({ ...older, notes });
    const of1 = (from: object, to: object) => compare(from as never, to as never).differences;
    const [changed, moved, added] = of1(
      noted(note, other, { text: "no id" }),
      noted(
        { ...note, text: "# Why\nSlow on Fridays", colour: "madder", x: 8 },
        { ...other, x: 8 },
        { ...other, id: "n3" },
      ),
    );
    expect(changed).toEqual({
      ...{ id: undefined, note: "n1", mark: "changed", title: "Note “Why”" },
      fields: [
        { name: "text", from: note.text, to: "# Why\nSlow on Fridays" },
        { name: "colour", from: "Paper", to: "Red" },
      ],
    });
    expect(moved).toMatchObject({ note: "n2", mark: "moved", title: "Empty note", fields: [] });
    expect(added).toMatchObject({ note: "n3", mark: "added", fields: [{ name: "text", from: undefined, to: "" }] });
    expect(of1(noted(note), of(older))).toMatchObject([{ note: "n1", mark: "removed", fields: [{ from: note.text }] }]);
    // What cannot be drawn is compared as it stands.
    expect(of1(noted({ text: "a" }), noted({ text: "b" }))).toMatchObject([{ title: "", fields: [{ name: "notes" }] }]);
  });

  it("have no differences if they are equal", () => {
    expect(compare(of(older), of(structuredClone(older))).differences).toEqual([]);
  });
});

describe("the outline", () => {
  it("lists steps in the order of a run, one branch after the other, with the content below its container", () => {
    const definition = {
      nodes: ["end", "yes", "no", "if", "start"]
        .map(id => step(id))
        .concat({ ...step("in"), parentId: "yes" } as never),
      edges: [
        { source: "start", target: "if" },
        { source: "if", sourceHandle: "true", target: "yes" },
        { source: "if", sourceHandle: "false", target: "no" },
        { source: "yes", target: "end" },
        { source: "no", target: "end" },
      ],
    };
    const rows = outlineOf(readDefinition(definition));
    expect(rows.map(({ id, depth }) => `${depth} ${id}`)).toEqual([
      "0 start",
      "0 if",
      "0 yes",
      "1 in",
      "0 no",
      "0 end",
    ]);
    expect(rows[1]!.next).toEqual(["yes", "no"]);
  });

  it("lists each step once, also on a cycle and in containers that contain each other", () => {
    const definition = {
      nodes: [{ ...step("a"), parentId: "b" }, { ...step("b"), parentId: "a" }, step("c"), step("d")],
      edges: [
        { source: "c", target: "d" },
        { source: "d", target: "c" },
      ],
    };
    expect(
      outlineOf(readDefinition(definition))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(["a", "b", "c", "d"]);
  });
});
