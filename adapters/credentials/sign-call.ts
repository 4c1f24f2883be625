import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { OpenedCredential } from "../../contracts/credentials/opened.ts";
import { CREDENTIAL_TYPES, type CredentialData, type CredentialTypeName } from "../../contracts/credentials/types.ts";
import type { OutboundBody, OutboundHop, SignedHop } from "../net/port.ts";

type Sign<N extends CredentialTypeName> = (data: CredentialData<N>, hop: OutboundHop) => SignedHop | Promise<SignedHop>;

const withHeader = ({ url, headers }: OutboundHop, name: string, value: string): SignedHop => ({
  url,
  headers: { ...headers, [name.toLowerCase()]: value },
});

const basicPair = ({ username, password }: CredentialData<"basic">) =>
  Buffer.from(`${username}:${password}`).toString("base64");

const query: Sign<"query"> = ({ name, value }, { url, headers }) => {
  const own = new URL(url);
  own.searchParams.set(name, value);
  return { url: own, headers };
};

/** The headers that AWS requires in the signature. Proxies may change other headers. */
const isSigned = (name: string) => name.startsWith("x-amz-") || name === "content-type";

/** The hash of the body for the signature. AWS accepts `UNSIGNED-PAYLOAD` for an unsigned body, over TLS. */
function bodyHash(body: OutboundBody | undefined): string {
  if (typeof body === "object" && !(body instanceof Uint8Array)) return body.sha256 ?? "UNSIGNED-PAYLOAD";
  return createHash("sha256")
    .update(body ?? "")
    .digest("hex");
}

/** Signs with AWS Signature Version 4. The body's hash is included even where AWS does not require it. */
const aws: Sign<"aws"> = async (data, { method, url, headers, body }) => {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => isSigned(name)));
  own["x-amz-content-sha256"] = bodyHash(body);
  const { sessionToken, ...keys } = data;
  const signer = new AwsV4Signer({
    ...{ method, url: url.href, headers: own },
    ...keys,
    ...(sessionToken !== undefined && { sessionToken }),
  });
  const signed = await signer.sign();
  return { url, headers: { ...headers, ...Object.fromEntries(signed.headers) } };
};

const SIGNERS: { [N in CredentialTypeName]?: Sign<N> } = {
  header: ({ name, value, prefix = "" }, hop) => withHeader(hop, name, prefix + value),
  query,
  basic: (data, hop) => withHeader(hop, "authorization", `Basic ${basicPair(data)}`),
  bearer: ({ token }, hop) => withHeader(hop, "authorization", `Bearer ${token}`),
  aws,
};

/** Whether calls can be signed with credentials of this type. */
export const signsCalls = (type: CredentialTypeName): boolean => CREDENTIAL_TYPES[type].use === "calls";

/** Signs one request of a call with a credential. The caller must have checked the request's host. */
export function signCall({ type, data, token }: OpenedCredential, hop: OutboundHop): SignedHop | Promise<SignedHop> {
  if (token) return withHeader(hop, "authorization", `Bearer ${token.value}`);
  const sign = SIGNERS[type] as ((data: unknown, hop: OutboundHop) => SignedHop | Promise<SignedHop>) | undefined;
  if (!sign) throw new TypeError(`Calls cannot be signed with credentials of the type ${type}`);
  return sign(data, hop);
}

/** Secrets that signatures contain in addition to the credential's data. */
export function derivedSecrets({ type, data, token }: OpenedCredential): string[] {
  if (token) return [token.value];
  return type === "basic" ? [basicPair(data as CredentialData<"basic">)] : [];
}
