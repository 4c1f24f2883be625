import fc from "fast-check";
import {
  type BuilderDocument,
  clipOf,
  type Command,
  connect,
  createDocument,
  deleteNodes,
  disconnect,
  freeId,
  insertNode,
  insertOnEdge,
  moveNodes,
  parentOf,
  paste,
  reconnect,
  renameId,
  setDisabled,
  setNodeValue,
  setParent,
  setSetting,
  sourceOf,
  targetOf,
} from "../../console/builder/document/index.ts";

interface Act {
  kind: number;
  a: number;
  b: number;
  text: string;
}

const act = fc.record({ kind: fc.nat(12), a: fc.nat(99), b: fc.nat(99), text: fc.string({ maxLength: 8 }) });
/** Steps, each inside an earlier one or at the top, with threads within a level. */
const graph = fc
  .array(fc.record({ parent: fc.nat(30), from: fc.nat(30), extra: fc.jsonValue() }), { maxLength: 20 })
  .map(list => {
    const nodes = list.map(({ parent, extra }, n) => ({
      type: parent % 2 === 0 ? "map" : "http",
      extra,
      id: `s${n}`,
      ...(n > 0 && parent % 3 === 0 && { parentId: `s${parent % n}` }),
      data: { value: `{{ steps.s${parent} }}` },
      ...(parent % 5 !== 0 && { position: { z: 1, x: parent, y: n } }),
    }));
    const edges = list.flatMap(({ from }, n) => {
      const source = nodes[from % list.length]!;
      return from % list.length < n && source.parentId === nodes[n]!.parentId
        ? [{ target: `s${n}`, source: source.id, label: "kept" }]
        : [];
    });
    return { version: 1, edges, nodes, settings: { timeoutMs: 1 } };
  });

function commandOf(doc: BuilderDocument, { kind, a, b, text }: Act): Command {
  const state = doc.getState();
  const ids = [...state.nodes.keys()];
  const keys = [...state.edges.keys()];
  const [one, two, edge] = [ids[a % ids.length] ?? "", ids[b % ids.length] ?? "", keys[a % keys.length] ?? ""];
  const node = { id: freeId(state, text), type: "http", position: { x: a, y: b } };
  const commands = [
    () => insertNode({ node, after: { id: one, handle: "out" } }),
    () => insertNode({ node: { ...node, parentId: one } }),
    () => insertOnEdge(edge, node, { handle: b % 2 === 0 ? "out" : undefined, shift: { ids: [two], dx: 10, dy: 0 } }),
    () => connect({ source: one, target: two, handle: text }),
    () => disconnect([edge]),
    () => reconnect(edge, { source: one, target: two, handle: text }),
    () => deleteNodes([one, two]),
    () => moveNodes(new Map([[one, { x: b, y: a }]])),
    () => setNodeValue(one, `/data/${b % 3}`, b % 4 === 0 ? undefined : text),
    () => renameId(one, text),
    () => setParent([one], b % 3 === 0 ? undefined : two, new Map([[one, { x: a, y: b }]])),
    () => paste(clipOf(state, ids.length > 60 ? [one] : [one, two]), { x: a, y: b }),
    () => (b % 2 === 0 ? setDisabled([one, two], a % 2 === 0) : setSetting("/timeoutMs", a)),
  ];
  return commands[kind % commands.length]!();
}

const bytes = (doc: BuilderDocument) => JSON.stringify(doc.toDefinition());

/** What no command may break: containers that exist and do not contain themselves, edges within a level. */
function broken(doc: BuilderDocument): string[] {
  const { nodes, edges } = doc.getState();
  const lost = [...nodes].flatMap(([id, node]) => {
    let up = parentOf(node);
    for (let level = 0; up !== undefined; up = parentOf(nodes.get(up)))
      if (!nodes.has(up) || level++ > nodes.size) return [id];
    return node.id === id ? [] : [id];
  });
  const crossing = [...edges].filter(([, edge]) => {
    const [source, target] = [nodes.get(sourceOf(edge)), nodes.get(targetOf(edge))];
    return !source || !target || parentOf(source) !== parentOf(target);
  });
  return [...lost, ...crossing.map(([key]) => key)];
}

test("gives the same bytes after undoing and redoing a hundred commands, also over a reload", () => {
  fc.assert(
    fc.property(graph, fc.array(act, { minLength: 100, maxLength: 100 }), fc.nat(100), (definition, acts, reload) => {
      let doc = createDocument(definition);
      const states = [bytes(doc)];
      expect(states[0]).toBe(JSON.stringify(definition));
      acts.forEach((each, n) => {
        if (n === reload) doc = createDocument(doc.toDefinition(), undefined, structuredClone(doc.edits()));
        // A second between edits, so that typing is not merged.
        if (doc.apply(commandOf(doc, each), n * 1_000)) states.push(bytes(doc));
        expect(broken(doc)).toEqual([]);
      });
      const undone = states.slice(0, -1).map(() => doc.undo() && bytes(doc));
      expect(undone).toEqual(states.slice(0, -1).reverse());
      const done = states.slice(1).map(() => doc.redo() && bytes(doc));
      expect(done).toEqual(states.slice(1));
    }),
    { numRuns: 20 },
  );
});
