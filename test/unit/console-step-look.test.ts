import { readFileSync } from "node:fs";
import { describeNodeTypes } from "../../core/graph/catalogue/describe.ts";

/** The rows of the table by which the graph of a run shows steps, which the page carries because it is needed at once. */
const looks = new Map(
  [
    ...readFileSync("console/run/graph/step-look.tsx", "utf8").matchAll(
      /^ {2}(\w+): \{ category: "(\w+)", icon: \w+, title: "(.+)" \},$/gm,
    ),
  ].map(([, type, category, title]) => [type, { category, title }]),
);

test.each(describeNodeTypes().types)(
  "the graph of a run shows $type as the palette does",
  ({ type, category, title }) => {
    expect(looks.get(type)).toEqual({ category, title });
  },
);
