import { z } from "zod";
import { id, type Role } from "./primitives.ts";

/**
 * Who may call an action. `public`: anyone. `user`: any signed-in user. `operator`: signed-in operators of the
 * installation. A role: members with at least that role in the workspace. `internal`: other services only, because no
 * route leads to the action.
 */
export type Access = "public" | "user" | "operator" | "internal" | Role;

export interface ActionContract<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  access: Access;
  /** True if the input names a space, which must exist in the workspace. */
  inSpace: boolean;
  /**
   * For actions with access `user`: true if API keys may call them too. Actions with a role always accept API keys,
   * which have a role.
   */
  apiKeys: boolean;
  /**
   * An API key with this scope may call the action, whatever the key's own role is. The key's creator needs the role.
   */
  keyScope?: string;
  /**
   * For internal actions: true if the action changes nothing. For all others, the method of the route determines it.
   */
  reads?: boolean;
  input: I;
  output: O;
}

/**
 * An action that no role in a workspace controls. Unknown fields from clients are refused as misspellings. Internal
 * actions accept them, because newer nodes may send fields that this node does not know.
 */
export function action<S extends z.ZodRawShape, O extends z.ZodType>(
  access: "public" | "user" | "operator" | "internal",
  input: S,
  output: O,
  { apiKeys = false, reads = false }: { apiKeys?: boolean; reads?: boolean } = {},
) {
  const known = access === "internal" ? z.object(input) : z.strictObject(input);
  return { access, inSpace: false, apiKeys, reads, input: known, output };
}

/** An action on a workspace, open to members of at least this role. */
export function inWorkspace<S extends z.ZodRawShape, O extends z.ZodType>(access: Role, input: S, output: O) {
  return { access, inSpace: false, apiKeys: true, input: z.strictObject({ workspaceId: id, ...input }), output };
}

/** The same action, also for API keys with this scope, whatever their role is. */
export const orKeyScope = <A extends ActionContract>(keyScope: string, contract: A) => ({ ...contract, keyScope });

/** An action on a space of a workspace, open to members of at least this role. */
export function inSpace<S extends z.ZodRawShape, O extends z.ZodType>(access: Role, input: S, output: O) {
  const scope = { workspaceId: id, spaceId: id };
  return { access, inSpace: true, apiKeys: true, input: z.strictObject({ ...scope, ...input }), output };
}
