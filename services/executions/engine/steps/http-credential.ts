import { signCall, signsCalls } from "../../../../adapters/credentials/sign-call.ts";
import type { GuardedFetch, OutboundRequest, OutboundStream } from "../../../../adapters/net/port.ts";
import type { OpenedCredential } from "../../../../contracts/credentials/opened.ts";
import { firstBytes } from "./http-answer.ts";
import { StepFailure, type Secrets } from "./secrets.ts";

const UNAUTHORIZED = 401;

/**
 * Makes the call of a step, signed with a credential if the step names one. Every request of the call, also after a
 * redirect, goes only to addresses that all credentials of the step allow. A refused access token is replaced once.
 * @throws {StepFailure} when the step cannot use the credential, or may not send it there
 * @throws {OutboundError}
 */
export async function callWithSecrets(
  fetch: GuardedFetch["stream"],
  request: OutboundRequest,
  secrets: Secrets,
  credentialId: string | undefined,
): Promise<OutboundStream> {
  const opened = credentialId === undefined ? undefined : await secrets.open({ id: credentialId });
  if (!secrets.areUsed) return fetch({ ...request, decode: true });
  if (opened && !signsCalls(opened.type)) {
    const message = `The credential "${opened.name}" has the type ${opened.type}, which does not sign calls.`;
    throw new StepFailure("credential_not_usable", message);
  }
  const first = URL.parse(request.url);
  if (first) secrets.check(first);
  const send = (by: OpenedCredential | undefined) =>
    fetch({
      ...request,
      decode: true,
      sign: hop => {
        secrets.check(hop.url);
        return by ? signCall(by, hop) : hop;
      },
    });
  const answer = await send(opened);
  const refused = opened?.token?.id;
  if (answer.status !== UNAUTHORIZED || credentialId === undefined || refused === undefined) return answer;
  const renewed = await secrets.open({ id: credentialId }, refused);
  if (renewed.token?.id === refused) return answer;
  await firstBytes(answer.body, 1);
  return send(renewed);
}
