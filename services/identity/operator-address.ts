import { config } from "../../config.ts";
import { AppError } from "../../contracts/errors.ts";

export const isOperatorAddress = (email: string): boolean => config().OPERATORS.includes(email);

/**
 * Refuses an operator's address to a person who has not proved to own it: the account would have an operator's rights.
 * The answer is that of an address that is taken.
 * @throws {AppError} email_taken
 */
export function refuseOperatorAddress(email: string): void {
  if (isOperatorAddress(email)) throw new AppError("email_taken");
}
