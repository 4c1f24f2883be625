import { ACTIONS, type ActionName } from "./actions.ts";
import type { ActionContract } from "./define-action.ts";
import { ROUTES } from "./routes.ts";

const contracts = Object.entries(ACTIONS) as [ActionName, ActionContract][];

/** Actions that change nothing. When a node dies and its answer is lost, they can safely be called again. */
export const READS: ReadonlySet<string> = new Set([
  ...ROUTES.filter(({ method }) => method === "GET").map(({ action }) => action),
  ...contracts.filter(([, { reads }]) => reads).map(([name]) => name),
]);
