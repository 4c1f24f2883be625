import type { Expressions } from "../../../adapters/expressions/index.ts";
import type { Meeting } from "../store/meet.ts";

/** Checks data against a JSON Schema of a workflow. Data fits no schema that cannot be used. */
export const fitsSchema =
  ({ forms }: Expressions): Meeting["fits"] =>
  async (schema, data, workspaceId) => {
    const { broken, faults } = await forms.check(schema, data, workspaceId);
    return broken === undefined && faults.length === 0;
  };
