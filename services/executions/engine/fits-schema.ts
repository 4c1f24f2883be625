import type { Expressions } from "../../../adapters/expressions/index.ts";
import type { SignalMatching } from "../store/match-signals.ts";

/** Checks data against a JSON Schema of a workflow. Returns false for an invalid schema. */
export const fitsSchema =
  ({ forms }: Expressions): SignalMatching["fits"] =>
  async (schema, data, workspaceId) => {
    const { broken, faults } = await forms.check(schema, data, workspaceId);
    return broken === undefined && faults.length === 0;
  };
