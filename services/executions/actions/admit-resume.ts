import { handle } from "../../../contracts/call.ts";
import type { CredentialData, CredentialTypeName } from "../../../contracts/credentials/types.ts";
import { callSignature, schemeOf } from "../../../contracts/entities/webhook-auth.ts";
import type { CALLER_CREDENTIALS } from "../../../core/graph/wait-data.ts";
import { isUnusable } from "../../../service-kit/credential-transit.ts";
import { isFinal } from "../../../core/run/state.ts";
import { basicOf, basicText, bearerToken } from "../../../service-kit/authorization.ts";
import { isSameSecret } from "../../../service-kit/keyed-hash.ts";
import { checkSignature, readClaim } from "../../../service-kit/signature.ts";
import { graphOf } from "../engine/workflow-cache.ts";
import { Executions } from "../store/model.ts";
import { readResumeToken } from "../store/resume-token.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

interface Demand {
  /** What the caller must send. */
  secret: string;
  given: string;
  challenge?: string;
}
type Headers = Readonly<Record<string, string>>;
type DemandOf<N extends CredentialTypeName> = (data: CredentialData<N>, headers: Headers) => Demand;

const DEMANDS: { [N in Exclude<(typeof CALLER_CREDENTIALS)[number], "hmac">]: DemandOf<N> } = {
  basic: ({ username, password }, { authorization }) => ({
    secret: basicText(username, password),
    given: basicOf(authorization),
    challenge: 'Basic realm="Weft", charset="UTF-8"',
  }),
  bearer: ({ token }, { authorization }) => ({ secret: token, given: bearerToken(authorization) ?? "" }),
  header: ({ name, value, prefix = "" }, headers) => ({
    secret: prefix + value,
    given: headers[name.toLowerCase()] ?? "",
  }),
};

/**
 * Whether a call has the signature that the step demands. Without the body, which may follow later, only the form of
 * the signature is checked. A step that does not say how calls are signed rejects all of them.
 */
function admitSigned(signature: unknown, key: string, headers: Headers, body: string | undefined) {
  const demanded = true;
  const given = callSignature.safeParse(signature);
  if (!given.success) return { admitted: false, demanded };
  const scheme = schemeOf(given.data);
  const now = Date.now();
  if (body === undefined)
    return { admitted: false, demanded, needsBody: !("refused" in readClaim(scheme, headers, now)) };
  const checked = checkSignature(scheme, [key], { headers, body: Buffer.from(body, "base64") }, now);
  return { admitted: !("refused" in checked), demanded };
}

/** Whether someone may call the address of a step that demands a credential. */
export const admitResume = handle<"executions.resume.admit", ExecutionsService>(
  "executions.resume.admit",
  async function (ctx) {
    const { token, headers, body } = ctx.params;
    const undemanded = { admitted: true, demanded: false };
    const named = readResumeToken(this.hashKey, token);
    const doc = named && (await this.store.tenant(Executions, named.workspaceId).get({ id: named.executionId }));
    // The address of an ended or deleted run has no effect, and the response says so. It needs no credential.
    if (!doc || isFinal(doc.status)) return undemanded;
    const { workspaceId, spaceId, workflowId, workflowVersion } = doc;
    const workflow = await this.engine.definitions.get(workspaceId, workflowId, workflowVersion);
    const { credential: id, signature } = graphOf(workflow).byId.get(named.at.nodeId)?.data ?? {};
    if (typeof id !== "string") return undemanded;
    const opened = await this.engine.stepParts.credentials
      .open({ workspaceId, spaceId }, { id })
      .catch((error: unknown) => {
        if (isUnusable(error)) return null;
        throw error;
      });
    if (opened?.type === "hmac") return admitSigned(signature, String(opened.data.key), headers, body);
    // If the credential is deleted, or has a type that callers cannot send, every call is refused.
    const demandOf = opened && (DEMANDS[opened.type as keyof typeof DEMANDS] as DemandOf<never> | undefined);
    if (!demandOf) return { admitted: false, demanded: true };
    const { secret, given, challenge } = demandOf(opened.data as never, headers);
    return { admitted: isSameSecret(given, secret), demanded: true, ...(challenge !== undefined && { challenge }) };
  },
);
