import { handle } from "../../contracts/call.ts";
import { describeNodeTypes } from "../../core/graph/catalogue/describe.ts";

export const nodeTypes = handle("workflows.nodeTypes", () => Promise.resolve(describeNodeTypes()));
