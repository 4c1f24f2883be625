import { readFileSync } from "node:fs";
import { handleTitle, types as titles } from "../../console/messages/en-steps.ts";
import { describeNodeTypes } from "../../core/graph/catalogue/describe.ts";

/** The rows of the table by which the graph of a run shows steps, which the page carries because it is needed at once. */
const categories = new Map(
  [
    ...readFileSync("console/run/graph/step-look.tsx", "utf8").matchAll(
      /^ {2}(\w+): \{ category: "(\w+)", icon: \w+ \},$/gm,
    ),
  ].map(([, type, category]) => [type, category]),
);

test.each(describeNodeTypes().types)(
  "shows $type in the graph of a run as in the palette",
  ({ type, category, title }) => {
    const look = { category: categories.get(type), title: (titles as Record<string, string>)[type] };
    expect(look).toEqual({ category, title });
  },
);

test("names handles as the builder does", () => {
  const named = describeNodeTypes().types.flatMap(({ handles }) => (Array.isArray(handles) ? handles : []));
  const said = named.filter(({ sameAs }) => sameAs === undefined).map(({ id, title }) => [id, title]);
  expect(said.length).toBeGreaterThan(4);
  expect(said).toEqual(said.map(([id]) => [id, handleTitle(id!)]));
});
