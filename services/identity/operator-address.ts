import { config } from "../../config.ts";
import { AppError } from "../../contracts/errors.ts";

export const isOperatorAddress = (email: string): boolean => config().OPERATORS.includes(email);

/**
 * Refuses an operator's address to a person who has not proved to own it, because the account would have an operator's
 * rights. The response is the same as for a taken address.
 * @throws {AppError} email_taken
 */
export function refuseOperatorAddress(email: string): void {
  if (isOperatorAddress(email)) throw new AppError("email_taken");
}
