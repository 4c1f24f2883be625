/** Where an S3-compatible store keeps the objects, with its credentials. */
export interface S3Address {
  /** With the bucket as its path, such as `https://s3.eu-central-1.amazonaws.com/weft`. */
  endpoint: string;
  region: string;
  /** The beginning of each object's name: empty, or ends with a slash. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Reads `s3://<access key>:<secret key>@<host>[:<port>]/<bucket>[/<prefix>][?region=<region>&tls=false]`. The keys are
 * percent-encoded.
 * @throws {TypeError} when the address lacks one of these parts. The message repeats no part of the address.
 */
export function readS3Address(address: string): S3Address {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const [bucket = "", ...rest] = url?.pathname.split("/").filter(Boolean) ?? [];
  if (url?.protocol !== "s3:" || !url.hostname || !bucket || !url.username || !url.password)
    throw new TypeError("expected s3://<access key>:<secret key>@<host>/<bucket>");
  const scheme = url.searchParams.get("tls") === "false" ? "http" : "https";
  return {
    endpoint: `${scheme}://${url.host}/${bucket}`,
    region: url.searchParams.get("region") ?? "auto",
    prefix: rest.length > 0 ? `${rest.join("/")}/` : "",
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
}
