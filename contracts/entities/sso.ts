import { z } from "zod";
import { id, prose, role, timestamp } from "../primitives.ts";

/** The id of a provider, as in the names of its variables. */
export const providerId = z.string().regex(/^[a-z0-9]{1,30}$/, "Expected the id of a provider");

/** A provider through which people may sign in. */
export const provider = z.object({ id: providerId, name: z.string() }).meta({ id: "Provider" });

/** The start of a sign-in through a provider. */
export const providerVisit = z
  .object({
    url: z
      .string()
      .meta({ description: "The address where the person signs in. The provider redirects to `/sso/<provider>`." }),
    attempt: z.string().meta({ description: "Opaque. Send it with the query that the provider adds to the address." }),
  })
  .meta({ id: "ProviderVisit" });

/** The end of a sign-in through a provider. */
export const providerAnswer = {
  provider: providerId,
  attempt: z.string().min(1).max(4_096),
  /** The query of the provider's redirect to this service. */
  query: z.string().max(8_192),
};

/** A way to sign in to an account. */
export const linkedProvider = z
  .object({
    id,
    provider: providerId,
    name: z.string().meta({ description: "The name of the provider; its id if it is no longer configured." }),
    email: z.string().nullable().meta({ description: "The address at the provider when it was linked." }),
    createdAt: timestamp,
    usedAt: timestamp.nullable(),
  })
  .meta({ id: "LinkedProvider" });
export type LinkedProvider = z.infer<typeof linkedProvider>;

/** A group of a provider, and the role that it gives. */
export const groupRole = z
  .object({
    provider: providerId,
    group: prose(300),
    role: role.exclude(["owner"]),
  })
  .meta({ id: "GroupRole" });
export type GroupRole = z.infer<typeof groupRole>;

/** The groups of providers that give roles in a workspace. */
export const groupRoles = z
  .object({
    providers: z.array(provider).meta({ description: "The providers of this installation." }),
    groups: z.array(groupRole),
  })
  .meta({ id: "GroupRoles" });
export type GroupRoles = z.infer<typeof groupRoles>;
