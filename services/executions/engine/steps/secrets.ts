import type { OpenedCredential } from "../../../../contracts/credentials/opened.ts";
import type { CredentialData, CredentialTypeName } from "../../../../contracts/credentials/types.ts";

/** The step cannot get something that it needs from outside of the run, such as a credential. */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  readonly code: string;
  readonly retryable: boolean;

  constructor(code: string, message: string, retryable = false) {
    super(message);
    this.code = code;
    this.retryable = retryable;
  }
}

/**
 * The credentials that a step uses. They define where these may be sent, and what must not appear in the step's
 * results.
 */
export interface Secrets {
  readonly areUsed: boolean;
  /** The length of the longest secret, in characters. 0 without secrets. */
  readonly longest: number;
  /**
   * Opens a credential for this step. `refused` is the id of a token that the called service refused.
   * @throws {StepFailure} when the step cannot use it
   */
  open(named: { id: string } | { name: string }, refused?: string): Promise<OpenedCredential>;
  /**
   * The fields of a credential by its name, to be sent with the call.
   * @throws {StepFailure} when the step cannot use them
   */
  fieldsOf(name: string): Promise<Record<string, unknown>>;
  /** @throws {StepFailure} when a credential of this step may not be sent to this address */
  check(url: URL): void;
  /** Replaces the secrets in a value, in every encoding. */
  mask<T>(value: T): T;
}

/**
 * Opens a credential that must have one of these types.
 * @throws {StepFailure} when the step cannot use the credential, or it has another type
 */
export async function openTyped<T extends CredentialTypeName>(
  secrets: Pick<Secrets, "open">,
  id: string,
  ...types: T[]
): Promise<{ id: string; type: T; data: CredentialData<T> }> {
  const { id: openedId, name, type, data } = await secrets.open({ id });
  const known = types.find(one => one === type);
  if (known !== undefined) return { id: openedId, type: known, data: data as CredentialData<T> };
  const expected = types.join(" or ");
  throw new StepFailure("credential_not_usable", `The credential "${name}" has the type ${type}, not ${expected}.`);
}
