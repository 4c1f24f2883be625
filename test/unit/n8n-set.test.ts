import { chain, imported, node } from "../support/n8n.ts";

const FIELDS = [
  { name: "kept", type: "string", value: "={{ $json.a }}" },
  { name: "mapped", type: "string", value: "={{ $json.list.map(one => one.b) }}" },
  { name: "many", type: "number", value: "many" },
  { name: "fixed", type: "number", value: "2" },
];
const set = (assignments: object[], more: object = {}) =>
  imported(chain(node("manualTrigger"), node("set", { assignments: { assignments }, ...more }, { typeVersion: 3.4 })));

it.each<[string, object, unknown]>([
  ["alone", {}, { kept: "{{ input.a }}", fixed: 2 }],
  ["beside the others", { includeOtherFields: true }, '{{ $merge([input, {"kept": input.a, "fixed": 2}]) }}'],
])("keeps the fields of a Set with a counterpart %s, and names the others", (_, more, value) => {
  const { definition, warnings, faults } = set(FIELDS, more);
  expect(definition.nodes[1]).toMatchObject({ type: "transform", data: { value } });
  expect(faults).toEqual({});
  expect(warnings.map(({ message }) => message).filter(message => message.includes("left out"))).toEqual([
    expect.stringMatching(/^The field `mapped` is left out, because it has .*=>/),
    expect.stringMatching(/^The field `many` is left out, because it has "many" as the number/),
  ]);
});

it("keeps a Set unchanged if no field has a counterpart", () => {
  const { definition } = set(FIELDS.slice(1, 3));
  expect(definition.nodes[1]).toMatchObject({ data: { note: expect.stringContaining("left out") as string } });
});
