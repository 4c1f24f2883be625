import { AwsV4Signer } from "aws4fetch";
import type { CredentialData } from "../../contracts/credentials/types.ts";
import { signCall } from "../credentials/sign-call.ts";
import type { OutboundHop, SignedHop } from "../net/port.ts";

type Access = CredentialData<"s3">;

/** Encodes characters that `encodeURIComponent` leaves unchanged but signatures require encoded. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The address at which a store lists its buckets.
 * @throws {TypeError} when it is not valid
 */
export const serviceAddress = ({ endpoint, region }: Access): URL =>
  new URL(`${(endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, "")}/`);

/**
 * The address of a bucket, or of an object in it. Only AWS has the bucket in the host name. Other stores answer only at
 * the host name of their address.
 * @throws {TypeError} when the address of the store is not valid
 */
export function addressOf(access: Access, bucket: string, key = ""): URL {
  const { endpoint, region, pathStyle } = access;
  const path = key.split("/").map(encoded).join("/");
  if (endpoint === undefined && !pathStyle) return new URL(`https://${bucket}.s3.${region}.amazonaws.com/${path}`);
  return new URL(`${serviceAddress(access).href}${bucket}${key === "" ? "" : `/${path}`}`);
}

function keysOf({ accessKeyId, secretAccessKey, sessionToken, region }: Access) {
  return { accessKeyId, secretAccessKey, region, ...(sessionToken !== undefined && { sessionToken }), service: "s3" };
}

/** Signs a request with AWS Signature Version 4. */
export const signRequest = (access: Access, hop: OutboundHop): SignedHop | Promise<SignedHop> =>
  signCall({ id: "", name: "", type: "aws", hosts: [], data: keysOf(access) }, hop);

/** An address with which anyone can make one kind of request, for a limited time. */
export async function presigned(access: Access, method: string, address: URL, seconds: number): Promise<string> {
  const url = new URL(address);
  url.searchParams.set("X-Amz-Expires", String(seconds));
  const signer = new AwsV4Signer({ method, url: url.href, signQuery: true, ...keysOf(access) });
  return (await signer.sign()).url.href;
}
