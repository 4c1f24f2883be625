import { added, formatted, now } from "../js-dates.ts";
import type { NodeKind } from "../kind.ts";
import { objectAt, textAt, type Translation } from "../translation.ts";
import { part, type Typed, typed } from "../typed.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

/** The value that the node produces, and the field in which n8n stores it. */
function made({ parameters }: N8nNode, t: Translation): [field: string, value: Typed] {
  const operation = textAt(parameters.operation, "getCurrentDate");
  const name = (usual: string) => textAt(t.fixed(parameters.outputFieldName ?? usual, "outputFieldName"), usual);
  const unit = textAt(parameters.timeUnit, "days");
  switch (operation) {
    case "getCurrentDate":
      if (parameters.includeTime === false) throw new Untranslatable("the current date without its time");
      return [name("currentDate"), now()];
    case "addToDate":
    case "subtractFromDate": {
      const amount = t.expression(parameters.duration ?? 0);
      const signed = operation === "addToDate" ? amount : typed(`-${part(amount)}`, "number");
      return [name("newDate"), added(t.expression(parameters.magnitude ?? ""), signed, unit, t)];
    }
    case "formatDate": {
      const chosen = textAt(parameters.format, "MM/dd/yyyy");
      const format = chosen === "custom" ? textAt(t.fixed(parameters.customFormat, "customFormat"), "") : chosen;
      return [name("formattedDate"), formatted(t.expression(parameters.date ?? ""), format, t)];
    }
    default:
      throw new Untranslatable(`the operation "${shown(operation)}" of dates`);
  }
}

/** Date & Time, from its second version on. */
export const dateTime: NodeKind = {
  translate(node, t) {
    if (node.typeVersion < 2) throw new Untranslatable("the first version of Date & Time");
    const [name, value] = made(node, t);
    const field = JSON.stringify(name);
    const keeps = objectAt(node.parameters, "options").includeInputFields === true;
    const text = keeps ? `$merge([${t.own().jsonata}, {${field}: ${value.text}}])` : `{${field}: ${value.text}}`;
    return { type: "transform", data: { value: `{{ ${text} }}` } };
  },
};
