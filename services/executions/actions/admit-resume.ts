import { handle } from "../../../contracts/call.ts";
import type { CredentialData, CredentialTypeName } from "../../../contracts/credentials/types.ts";
import { errorCode } from "../../../contracts/errors.ts";
import { isFinal } from "../../../core/run/state.ts";
import { basicOf, basicText, bearerToken } from "../../../service-kit/authorization.ts";
import { isSameSecret } from "../../../service-kit/equal-secrets.ts";
import { graphOf } from "../engine/workflow-cache.ts";
import { Executions } from "../store/model.ts";
import { readResumeToken } from "../store/resume-token.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** Errors that say that there is nothing to open. All others may pass. */
const LASTING: ReadonlySet<string | undefined> = new Set([
  "not_found",
  "credential_unreadable",
  "credential_needs_authorization",
]);

interface Demand {
  /** What the caller must send. */
  secret: string;
  given: string;
  challenge?: string;
}
type Headers = Readonly<Record<string, string>>;
type DemandOf<N extends CredentialTypeName> = (data: CredentialData<N>, headers: Headers) => Demand;

const DEMANDS: { [N in "basic" | "bearer" | "header"]: DemandOf<N> } = {
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

/** Whether someone may call the address of a step that demands a credential. */
export const admitResume = handle<"executions.resume.admit", ExecutionsService>(
  "executions.resume.admit",
  async function (ctx) {
    const { token, headers } = ctx.params;
    const anybody = { admitted: true, demanded: false };
    const named = readResumeToken(this.hashKey, token);
    const doc = named && (await this.store.tenant(Executions, named.workspaceId).get({ id: named.executionId }));
    // The caller of such an address gets the answer that it does nothing.
    if (!doc || isFinal(doc.status)) return anybody;
    const { workspaceId, spaceId, workflowId, workflowVersion } = doc;
    const workflow = await this.engine.definitions.get(workspaceId, workflowId, workflowVersion);
    const id = graphOf(workflow).byId.get(named.at.nodeId)?.data.credential;
    if (typeof id !== "string") return anybody;
    const opened = await this.engine.stepParts.credentials
      .open({ workspaceId, spaceId }, { id })
      .catch((error: unknown) => {
        if (LASTING.has(errorCode(error))) return null;
        throw error;
      });
    // With a deleted credential, or one of a type that callers cannot send, every call is refused.
    const demandOf = opened && (DEMANDS[opened.type as keyof typeof DEMANDS] as DemandOf<never> | undefined);
    if (!demandOf) return { admitted: false, demanded: true };
    const { secret, given, challenge } = demandOf(opened.data as never, headers);
    return { admitted: isSameSecret(given, secret), demanded: true, ...(challenge !== undefined && { challenge }) };
  },
);
