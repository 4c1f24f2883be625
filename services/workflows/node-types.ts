import { handle } from "../../contracts/call.ts";

export const nodeTypes = handle("workflows.nodeTypes", async () => {
  const { describeNodeTypes } = await import("../../core/graph/catalogue/describe.ts");
  return describeNodeTypes();
});
