import type { Role } from "../contracts/primitives.ts";
import { includesRole } from "./roles.ts";

/** What a sign-in through a provider does for a person without a linked account. */
export type NewcomerOutcome = "unverified" | "link" | "not-linked" | "create" | "closed";

/**
 * Decides about a person without a linked account. An address that the provider has not verified may belong to another
 * person, so it opens nothing and reveals nothing.
 */
export function newcomerOutcome({
  verified,
  hasAccount,
  linkByEmail,
  admitted,
}: {
  verified: boolean;
  /** The address has an account. */
  hasAccount: boolean;
  /** The operator lets verified addresses of the provider sign in to existing accounts. */
  linkByEmail: boolean;
  admitted: boolean;
}): NewcomerOutcome {
  if (!verified) return "unverified";
  if (hasAccount) return linkByEmail ? "link" : "not-linked";
  return admitted ? "create" : "closed";
}

/** The highest role in each workspace among these rules. */
export function rolesByWorkspace(rules: readonly { workspaceId: string; role: Role }[]): Map<string, Role> {
  const roles = new Map<string, Role>();
  for (const { workspaceId, role } of rules) {
    const known = roles.get(workspaceId);
    if (known === undefined || includesRole(role, known)) roles.set(workspaceId, role);
  }
  return roles;
}
