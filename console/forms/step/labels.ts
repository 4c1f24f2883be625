import { isRecord } from "../../data/json.ts";
import { formTexts } from "../../messages/en-forms.ts";
import type { Schema } from "../schema.ts";
import { memberOf, pointerPart } from "../values.ts";
import { discriminatorOf, looksLike, membersOf, resolved, unwrapped, variantsOf } from "./model.ts";

/** The schema whose fields the form shows for a value: of a union, the branch that the value has. */
function shownSchema(schema: Schema, root: Schema, value: unknown): Schema {
  const own = unwrapped(schema, root);
  const variants = variantsOf(own, root);
  if (!variants) return own;
  const tag = discriminatorOf(variants, root);
  const constant = (one: Schema) => membersOf(one, root).find(({ name }) => name === tag)?.schema.const;
  // The branch is known by its tag even while a required member is missing.
  const chosen = variants.find(({ schema: one }) =>
    tag === undefined ? looksLike(value, one, root) : constant(one) === memberOf(value, tag),
  );
  return chosen ? shownSchema(chosen.schema, root, value) : own;
}

/**
 * The labels of the fields that lead to a pointer, as the form of a step shows them. `rest` is the part of the pointer
 * that no field shows.
 */
export function labelsAt(schema: Schema, value: unknown, pointer: string): { labels: string[]; rest: string } {
  const parts = pointer.split("/").slice(1);
  const labels: string[] = [];
  let [at, here] = [schema, value];
  for (const part of parts) {
    const shown = shownSchema(at, schema, here);
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const member = membersOf(shown, schema).find(one => pointerPart(one.name) === `/${part}`);
    if (member) labels.push(member.label);
    else if (isRecord(shown.items) && /^\d+$/.test(part)) labels.push(formTexts.item(Number(part) + 1));
    else if (isRecord(shown.additionalProperties)) labels.push(name);
    else break;
    at = member?.schema ?? resolved(shown.items ?? shown.additionalProperties, schema);
    here = Array.isArray(here) ? here[Number(part)] : memberOf(here, name);
  }
  return {
    labels,
    rest: parts
      .slice(labels.length)
      .map(part => `/${part}`)
      .join(""),
  };
}
