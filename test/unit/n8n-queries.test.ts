import type { Json } from "../support/api.ts";
import { last, node } from "../support/n8n.ts";

describe("a query", () => {
  const step = (type: string, parameters: object): Json => last(node(type, parameters)).data;

  it.each<[string, string, object, Json]>([
    [
      "with expressions, quoted or not",
      "postgres",
      { operation: "executeQuery", query: "=SELECT * FROM t WHERE a = '{{ $json.a }}' AND b > {{ $json.b }}" },
      { query: "SELECT * FROM t WHERE a = $1 AND b > $2", parameters: ["{{ input.a }}", "{{ input.b }}"] },
    ],
    [
      "with parameters as a list",
      "mySql",
      {
        operation: "executeQuery",
        query: "DELETE FROM t WHERE a = ? AND b = ?",
        options: { queryReplacement: "={{ [$json.a, 'x'] }}" },
      },
      { query: "DELETE FROM t WHERE a = ? AND b = ?", parameters: ["{{ input.a }}", "x"], mode: "execute" },
    ],
    [
      "that updates",
      "postgres",
      {
        operation: "update",
        table: { value: "t" },
        columns: { mappingMode: "defineBelow", value: { id: "={{ $json.id }}", n: 1 }, matchingColumns: ["id"] },
      },
      { query: 'UPDATE "t" SET "n" = $1 WHERE "id" = $2 RETURNING *', parameters: [1, "{{ input.id }}"], mode: "one" },
    ],
    [
      "that selects",
      "mySql",
      {
        operation: "select",
        table: { value: "t" },
        where: { values: [{ column: "a", condition: ">=", value: "={{ $json.a }}" }] },
        limit: 5,
      },
      { query: "SELECT * FROM `t` WHERE `a` >= ? LIMIT 5", parameters: ["{{ input.a }}"] },
    ],
  ])("%s", (_, type, parameters, data) => expect(step(type, parameters)).toMatchObject(data));

  it("keeps every name inside its quotes", () =>
    expect(last(node("postgres", { operation: "select", table: 't" --' })).type).toContain("postgres"));
});
