import type { ErrorCode } from "../contracts/errors.ts";
import { ROLES, type Role } from "../contracts/primitives.ts";

/** A role includes those below it. */
export const includesRole = (held: Role, needed: Role): boolean => ROLES.indexOf(held) >= ROLES.indexOf(needed);

export const lowerRole = (one: Role, other: Role): Role => (includesRole(one, other) ? other : one);

/** Why this member's role may not be set to another, or null: nobody gives more than they hold, an owner stays one. */
export function roleChangeFault(actor: Role, current: Role, next: Role): ErrorCode | null {
  if (!includesRole(actor, next)) return "role_too_low";
  if (current === "owner" && next !== "owner") return "owner_is_fixed";
  return null;
}

/** Why this member may not be removed, or null: removing others takes an admin, an owner stays. */
export function removalFault(actor: Role, removed: Role, oneself: boolean): ErrorCode | null {
  if (!oneself && !includesRole(actor, "admin")) return "role_too_low";
  return removed === "owner" ? "owner_is_fixed" : null;
}
