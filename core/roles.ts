import type { ErrorCode } from "../contracts/errors.ts";
import { ROLES, type Role } from "../contracts/primitives.ts";

/** Whether a role includes another: each role includes those below it. */
export const includesRole = (held: Role, needed: Role): boolean => ROLES.indexOf(held) >= ROLES.indexOf(needed);

export const lowerRole = (one: Role, other: Role): Role => (includesRole(one, other) ? other : one);

/**
 * The reason why this member's role may not change, or null. Members cannot grant a role above their own, and an owner
 * stays an owner.
 */
export function roleChangeFault(actor: Role, current: Role, next: Role): ErrorCode | null {
  if (!includesRole(actor, next)) return "role_too_low";
  if (current === "owner" && next !== "owner") return "owner_is_fixed";
  return null;
}

/**
 * The reason why this member may not be removed, or null. Removing others requires the role admin, and an owner stays.
 */
export function removalFault(actor: Role, removed: Role, oneself: boolean): ErrorCode | null {
  if (!oneself && !includesRole(actor, "admin")) return "role_too_low";
  return removed === "owner" ? "owner_is_fixed" : null;
}
