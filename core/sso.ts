import type { Role } from "../contracts/primitives.ts";
import { includesRole } from "./roles.ts";

/** What a sign-in by a provider does for a person whom no account is linked to yet. */
export type NewcomerOutcome = "unverified" | "link" | "not-linked" | "create" | "closed";

/**
 * Decides about a person whom no account is linked to yet. An address that the provider has not verified may be that of
 * another person, so it opens nothing and tells nothing.
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
  /** The operator says that verified addresses of the provider give accounts. */
  linkByEmail: boolean;
  admitted: boolean;
}): NewcomerOutcome {
  if (!verified) return "unverified";
  if (hasAccount) return linkByEmail ? "link" : "not-linked";
  return admitted ? "create" : "closed";
}

/** The highest role that the groups give in each workspace. */
export function rolesByWorkspace(rules: readonly { workspaceId: string; role: Role }[]): Map<string, Role> {
  const roles = new Map<string, Role>();
  for (const { workspaceId, role } of rules) {
    const known = roles.get(workspaceId);
    if (known === undefined || includesRole(role, known)) roles.set(workspaceId, role);
  }
  return roles;
}
