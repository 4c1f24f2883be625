import type { OpenedCredential } from "../../../../contracts/credentials/opened.ts";

/** A step cannot have something that it needs from outside of the run, such as a credential. */
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

/** The credentials that a step uses: where they may be sent, and what must not appear in anything that it gives. */
export interface Secrets {
  readonly areUsed: boolean;
  /** The length of the longest secret, in characters. 0 where there is none. */
  readonly longest: number;
  /**
   * Opens a credential for this step. `refused` is the id of a token that the other side refused.
   * @throws {StepFailure} when the step cannot have it
   */
  open(named: { id: string } | { name: string }, refused?: string): Promise<OpenedCredential>;
  /**
   * The fields of a credential by its name, to be sent with the call. @throws {StepFailure} when the step cannot have
   * them
   */
  fieldsOf(name: string): Promise<Record<string, unknown>>;
  /** @throws {StepFailure} when a credential of this step may not be sent to this address */
  check(url: URL): void;
  /** Replaces the secrets in a value, in any spelling. */
  mask<T>(value: T): T;
}
