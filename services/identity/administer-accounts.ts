import { randomBytes } from "node:crypto";
import { v7 as uuid } from "uuid";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { Store } from "../../adapters/store/port.ts";
import { email as emailRule, password as passwordRule } from "../../contracts/entities/user.ts";
import { name as nameRule } from "../../contracts/primitives.ts";
import { type UserDoc, users } from "./model.ts";
import { passwordFault } from "./new-password.ts";
import { hashPassword } from "./password.ts";

// Account administration by operators, for the command line and the API.

/** A request of an operator that Weft cannot fulfil. The message gives the reason. */
export class AccountFault extends Error {
  override readonly name = "AccountFault";
}

/**
 * The hash of a password that an operator chose.
 * @throws {AccountFault} when the password is too short, easy to guess or breached
 */
export async function hashGiven(
  text: string,
  personal: readonly (string | null)[],
  breachedFile: string | undefined,
): Promise<string> {
  if (!passwordRule.safeParse(text).success) throw new AccountFault("A password has 12 to 256 characters.");
  const fault = await passwordFault(text, personal, breachedFile);
  if (fault !== null) throw new AccountFault(fault);
  return hashPassword(text);
}

/** The hash of a random password that is not kept, so only a link opens the account. */
export const unknownHash = (): Promise<string> => hashPassword(randomBytes(32).toString("base64url"));

/**
 * An address and a name in their stored form.
 * @throws {AccountFault} when one is not valid
 */
export function readPerson(email: string, name: string | undefined): Pick<UserDoc, "email" | "name"> {
  const read = { email: emailRule.safeParse(email), name: nameRule.optional().safeParse(name) };
  if (!read.email.success) throw new AccountFault(`${JSON.stringify(email)} is not an e-mail address.`);
  if (!read.name.success) throw new AccountFault(`${JSON.stringify(name)} is not a name.`);
  return { email: read.email.data, name: read.name.data ?? null };
}

/** @throws {AccountFault} when the address already has an account */
export async function createAccount(
  store: Store,
  person: Pick<UserDoc, "email" | "name" | "passwordHash">,
): Promise<UserDoc> {
  const now = new Date();
  try {
    return await store.global(users).insert({ id: uuid(), ...person, createdAt: now, updatedAt: now });
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
    throw new AccountFault(`${person.email} has an account already.`);
  }
}
