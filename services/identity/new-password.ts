import { config } from "../../config.ts";
import { AppError } from "../../contracts/errors.ts";
import { isBreached } from "./breached-passwords.ts";
import { hashPassword } from "./password.ts";
import { estimate, LEAST_SCORE } from "./password-strength.ts";

/**
 * What is wrong with a new password; null if it may be used.
 * @throws {Error} when the file of breached passwords cannot be read
 */
export async function passwordFault(
  password: string,
  personal: readonly (string | null | undefined)[],
  breachedFile: string | undefined,
): Promise<string | null> {
  const { score, reason } = await estimate(password, personal);
  if (score < LEAST_SCORE) return `This password is easy to guess. ${reason ?? "Add more words."}`;
  if (breachedFile !== undefined && (await isBreached(breachedFile, password))) {
    return "This password is in a list of stolen passwords. Choose another one.";
  }
  return null;
}

/**
 * The hash of a new password. `path` is its place in the request.
 * @throws {AppError} validation_failed when it is easy to guess or breached; unavailable when too many hashes are
 * waiting
 */
export async function hashNewPassword(
  password: string,
  path: string,
  personal: readonly (string | null | undefined)[],
): Promise<string> {
  const message = await passwordFault(password, personal, config().PASSWORDS_BREACHED);
  if (message !== null) throw new AppError("validation_failed", { errors: [{ path, message }] });
  return hashPassword(password);
}
