import type { Execution } from "../../sdk/definition.ts";
import { startOf } from "../data/runs.ts";
import { m } from "../messages/index.ts";

/** What started a run, in words. */
export const startText = (run: Pick<Execution, "trigger" | "startedByKey">): string => m.runs.triggers[startOf(run)];

/** Who started a run: the API key, if it was one, and the person. Empty if the names are unknown. */
export const starterText = ({ startedByKey }: Pick<Execution, "startedByKey">, person: string | undefined): string =>
  [startedByKey?.name, person].filter(Boolean).join(" · ");
