/** A node of a definition. */
export const node = (id: string, type: string, data: unknown = {}, extra: object = {}) => ({
  id,
  type,
  data,
  ...extra,
});

/** A transform with this value as its output. */
export const gives = (id: string, value: unknown, extra: object = {}) => node(id, "transform", { value }, extra);

/** A definition of nodes and edges, an edge written as `source > target` or `source:handle > target`. */
export function definition(nodes: object[], ...edges: string[]) {
  return {
    nodes,
    edges: edges.map(text => {
      const [from = "", target] = text.split(" > ");
      const colon = from.indexOf(":");
      return colon < 0
        ? { source: from, target }
        : { source: from.slice(0, colon), sourceHandle: from.slice(colon + 1), target };
    }),
  };
}
