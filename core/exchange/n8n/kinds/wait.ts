import type { NodeKind } from "../kind.ts";
import { isExpression } from "../parameter.ts";
import { textAt } from "../translation.ts";
import { part } from "../typed.ts";
import { shown, Untranslatable } from "../untranslatable.ts";

const UNIT_MS: Record<string, number> = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
/** A time with a time zone. */
const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/;

function numberOf(value: unknown): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && number >= 0) return number;
  throw new Untranslatable("a time that is not a number");
}

export const wait: NodeKind = {
  translate({ parameters, typeVersion }, t) {
    const resume = textAt(parameters.resume, "timeInterval");
    if (resume === "specificTime") {
      const { dateTime } = parameters;
      if (!isExpression(dateTime) && !ZONED.test(textAt(dateTime, "")))
        throw new Untranslatable("a time without a time zone");
      return { type: "delay", data: { until: t.template(dateTime) } };
    }
    if (resume !== "timeInterval") throw new Untranslatable(`a Wait that is ended by "${shown(resume)}"`);
    const isNewer = typeVersion >= 1.1;
    const unit = textAt(parameters.unit, isNewer ? "seconds" : "hours");
    const factor = Object.hasOwn(UNIT_MS, unit) ? UNIT_MS[unit]! : 0;
    if (factor === 0) throw new Untranslatable(`the unit "${shown(unit)}"`);
    const amount = parameters.amount ?? (isNewer ? 5 : 1);
    if (!isExpression(amount)) return { type: "delay", data: { ms: numberOf(amount) * factor } };
    return { type: "delay", data: { ms: `{{ ${part(t.expression(amount))} * ${factor} }}` } };
  },
  gives: ({ name }, flows) => flows.into(name),
  takesLists: true,
};
