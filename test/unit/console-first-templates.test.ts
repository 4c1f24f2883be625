import { readdirSync, readFileSync } from "node:fs";
import { FIRST_TEMPLATES } from "../../console/data/templates.ts";

it("offers only existing templates to a new workspace", () => {
  const ids = readdirSync("templates").map(file => {
    const { id } = JSON.parse(readFileSync(`templates/${file}`, "utf8")) as { id: string };
    return id;
  });
  expect(ids).toEqual(expect.arrayContaining(Object.values(FIRST_TEMPLATES)));
});
