import * as oauth from "oauth4webapi";
import { clip } from "../../core/clip.ts";
import { OutboundError } from "../net/outbound-error.ts";

const MAX_TEXT = 200;
const SERVER_FAULT = 500;

/**
 * A sign-in with a provider failed: the provider did not prove who the person is. `passing`: the provider could not be
 * reached, and a later attempt may succeed.
 */
export class SignInFault extends Error {
  override readonly name = "SignInFault";
  readonly passing: boolean;

  constructor(message: string, passing = false, cause?: unknown) {
    super(message, { cause });
    this.passing = passing;
  }
}

const plain = (text: unknown) => clip(String(text).replace(/\p{Cc}/gu, " "), MAX_TEXT);

const claimOf = ({ cause }: Error) => (cause as { claim?: string } | undefined)?.claim;

/** The library's faults, in words for people who set up a provider. */
function wordsOf(error: oauth.OperationProcessingError): string {
  const claim = claimOf(error);
  if (error.code === oauth.JWT_TIMESTAMP_CHECK) return `The ID token is not valid at this time (${claim ?? "exp"}).`;
  if (error.code === oauth.JWT_CLAIM_COMPARISON && claim === "aud") return "The ID token is for another client (aud).";
  if (error.code === oauth.JWT_CLAIM_COMPARISON && claim !== undefined)
    return `The ID token has a wrong value of ${claim}.`;
  if (error.code === oauth.JSON_ATTRIBUTE_COMPARISON || error.message.includes('"iss"'))
    return "The answer comes from another issuer.";
  if (error.code === oauth.KEY_SELECTION) return "The ID token is signed with a key that the provider does not list.";
  if (error.message.includes("signature")) return "The signature of the ID token is wrong.";
  if (error.message.includes('"alg"')) return "The ID token is signed with an algorithm that is not accepted.";
  return `The answer of the provider is not valid: ${plain(error.message)}.`;
}

/** Why a sign-in with a provider failed, for people. `host` is the provider's host. */
export function signInFault(error: unknown, host: string): SignInFault {
  if (error instanceof SignInFault) return error;
  if (error instanceof OutboundError) {
    const isRefused = error.code === "outbound_refused";
    return new SignInFault(`${host} was not reached: ${error.message}`, !isRefused, error);
  }
  if (error instanceof oauth.AuthorizationResponseError)
    return new SignInFault(`The provider answered ${plain(error.error)}.`, false, error);
  if (error instanceof oauth.ResponseBodyError)
    return new SignInFault(`The provider answered ${plain(error.error)}.`, error.status >= SERVER_FAULT, error);
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Response && cause.status >= SERVER_FAULT)
    return new SignInFault(`${host} answered ${cause.status}.`, true, error);
  if (error instanceof oauth.UnsupportedOperationError)
    return new SignInFault("The ID token is signed with an algorithm that is not accepted.", false, error);
  if (error instanceof oauth.OperationProcessingError) return new SignInFault(wordsOf(error), false, error);
  return new SignInFault(`The answer of the provider is not valid: ${plain((error as Error).message)}.`, false, error);
}
