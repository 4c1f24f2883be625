import type { Execution } from "../../sdk/definition.ts";
import { m } from "../messages/index.ts";

type Started = Pick<Execution, "trigger" | "startedByKey">;

/** What started a run, in words. A program that starts one uses an API key. */
export const startText = ({ trigger, startedByKey }: Started): string =>
  trigger.type === "manual" && startedByKey ? m.runs.byKey : m.runs.triggers[trigger.type];

/** Who started a run: the API key, if it was one, and the person. Empty if the names are unknown. */
export const starterText = ({ startedByKey }: Pick<Execution, "startedByKey">, person: string | undefined): string =>
  [startedByKey?.name, person].filter(Boolean).join(" · ");
