import { signCall, signsCalls } from "../../../../adapters/credentials/sign-call.ts";
import type { GuardedFetch, OutboundAnswer, OutboundRequest } from "../../../../adapters/net/port.ts";
import type { OpenedCredential } from "../../../../contracts/credentials/opened.ts";
import { StepFailure, type Secrets } from "./secrets.ts";

const UNAUTHORIZED = 401;

/**
 * Makes the call of a step, signed with a credential where the step names one. Every request of the call, also after a
 * redirect, goes only where all credentials of the step may be sent. A refused access token is replaced once.
 * @throws {StepFailure} when the step cannot use the credential, or may not send it there; {OutboundError}
 */
export async function callWithSecrets(
  fetch: GuardedFetch["fetch"],
  request: OutboundRequest,
  secrets: Secrets,
  credentialId: string | undefined,
): Promise<OutboundAnswer> {
  const opened = credentialId === undefined ? undefined : await secrets.open({ id: credentialId });
  if (!secrets.areUsed) return fetch(request);
  if (opened && !signsCalls(opened.type)) {
    const message = `The credential "${opened.name}" has the type ${opened.type}, which does not sign calls.`;
    throw new StepFailure("credential_not_usable", message);
  }
  const first = URL.parse(request.url);
  if (first) secrets.check(first);
  const send = (by: OpenedCredential | undefined) =>
    fetch({
      ...request,
      sign: hop => {
        secrets.check(hop.url);
        return by ? signCall(by, hop) : hop;
      },
    });
  const answer = await send(opened);
  const refused = opened?.token?.id;
  if (answer.status !== UNAUTHORIZED || credentialId === undefined || refused === undefined) return answer;
  const renewed = await secrets.open({ id: credentialId }, refused);
  return renewed.token?.id === refused ? answer : send(renewed);
}
