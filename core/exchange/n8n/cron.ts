import { listAt, objectAt } from "./translation.ts";
import type { N8nNode } from "./workflow.ts";

const whole = (value: unknown, fallback: number): number => (Number.isInteger(value) ? (value as number) : fallback);

/** A cron field for every `count` units of a range of `of`; null when the range does not divide evenly. */
const every = (count: number, of: number): string | null =>
  count === 1 ? "*" : count > 0 && of % count === 0 ? `*/${count}` : null;

/** The five cron fields. A sixth field of n8n, the seconds, comes first and must be 0. */
function fiveFields(expression: unknown): string | null {
  if (typeof expression !== "string") return null;
  const fields = expression.trim().split(/\s+/);
  if (fields.length === 5) return fields.join(" ");
  return fields.length === 6 && fields[0] === "0" ? fields.slice(1).join(" ") : null;
}

function cronOfInterval(interval: Record<string, unknown>): string | null {
  const minute = whole(interval.triggerAtMinute, 0);
  const hour = whole(interval.triggerAtHour, 0);
  const days = Array.isArray(interval.triggerAtDay) ? interval.triggerAtDay.join() : "0";
  switch (interval.field ?? "days") {
    case "cronExpression":
      return fiveFields(interval.expression);
    case "minutes": {
      const minutes = every(whole(interval.minutesInterval, 5), 60);
      return minutes && `${minutes} * * * *`;
    }
    case "hours": {
      const hours = every(whole(interval.hoursInterval, 1), 24);
      return hours && `${minute} ${hours} * * *`;
    }
    case "days":
      return whole(interval.daysInterval, 1) === 1 ? `${minute} ${hour} * * *` : null;
    case "weeks":
      return whole(interval.weeksInterval, 1) === 1 ? `${minute} ${hour} * * ${days}` : null;
    case "months": {
      const months = every(whole(interval.monthsInterval, 1), 12);
      return months && `${minute} ${hour} ${whole(interval.triggerAtDayOfMonth, 1)} ${months} *`;
    }
    default:
      return null;
  }
}

/** The times of an n8n schedule as five-field cron expressions; null when one of them has no such form. */
export function cronOf({ type, parameters }: N8nNode): string[] | null {
  if (type !== "n8n-nodes-base.scheduleTrigger") {
    const crons = listAt(objectAt(parameters, "triggerTimes"), "item").map(({ mode, cronExpression }) =>
      mode === "custom" ? fiveFields(cronExpression) : null,
    );
    return crons.length > 0 && crons.every(cron => cron !== null) ? crons : null;
  }
  const intervals = listAt(parameters, "rule", "interval");
  const crons = (intervals.length > 0 ? intervals : [{}]).map(cronOfInterval);
  return crons.every(cron => cron !== null) ? crons : null;
}
