import { type ListedObject, readList } from "../../../../adapters/storage/s3-answers.ts";
import { addressOf, presigned } from "../../../../adapters/storage/s3-requests.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import { fileOf } from "../../../../core/run/references.ts";
import { fileBody, storeAnswer } from "./http-files.ts";
import { type Access, callStorage, MAX_LIST_BYTES, textOfAnswer } from "./s3-call.ts";
import { failedBy } from "./failed-by.ts";
import { openTyped, StepFailure } from "./secrets.ts";
import { done, failed, type Perform, type StepContext } from "./step.ts";

type Data = DataOf<"s3">;
type Of<A extends Data["action"]> = Extract<Data, { action: A }>;

interface BucketContext {
  access: Access;
  bucket: string;
  context: StepContext;
}

const PAGE = 1_000;

async function put({ key, body, contentType }: Of<"put">, { access, bucket, context }: BucketContext) {
  const headers: Record<string, string> = contentType === undefined ? {} : { "content-type": contentType };
  const isFile = fileOf(body) !== undefined;
  if (!isFile) headers["content-type"] ??= typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  const text = () => Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const sent = isFile ? await fileBody(body, headers, context) : text();
  const size = sent instanceof Uint8Array ? sent.length : sent.size;
  const url = addressOf(access, bucket, key);
  const answer = await callStorage(context, access, { method: "PUT", url, headers, body: sent });
  await answer.body.return();
  return { bucket, key, etag: answer.headers.etag ?? "", size };
}

async function get({ key }: Of<"get">, { access, bucket, context }: BucketContext) {
  const answer = await callStorage(context, access, { method: "GET", url: addressOf(access, bucket, key) });
  const url = `https://storage/${encodeURIComponent(key.split("/").at(-1) ?? "")}`;
  const file = await storeAnswer(answer.body, { url, headers: answer.headers }, context);
  return { bucket, key, etag: answer.headers.etag ?? "", file };
}

async function list({ prefix, limit }: Of<"list">, { access, bucket, context }: BucketContext) {
  const objects: ListedObject[] = [];
  for (let next: string | undefined = ""; ;) {
    const url = addressOf(access, bucket);
    const query = {
      "list-type": "2",
      "encoding-type": "url",
      prefix,
      "max-keys": `${Math.min(PAGE, limit - objects.length)}`,
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    if (next) url.searchParams.set("continuation-token", next);
    const answer = await callStorage(context, access, { method: "GET", url, maxBytes: MAX_LIST_BYTES });
    const page = readList(await textOfAnswer(answer));
    objects.push(...page.objects);
    next = page.next;
    // A server that returns empty pages forever would keep this loop running.
    const isOver = next === undefined || page.objects.length === 0;
    if (isOver || objects.length >= limit) return { bucket, objects: objects.slice(0, limit), truncated: !isOver };
  }
}

async function remove({ key }: Of<"delete">, { access, bucket, context }: BucketContext) {
  const answer = await callStorage(context, access, { method: "DELETE", url: addressOf(access, bucket, key) });
  await answer.body.return();
  return { bucket, key, deleted: true };
}

async function presign({ key, method, expiresInSeconds }: Of<"presign">, { access, bucket, context }: BucketContext) {
  // A presigned address contains the session token, and masking it would break the address.
  if (access.sessionToken !== undefined)
    throw new StepFailure("credential_not_usable", "An address that is signed would show the session token.");
  const address = addressOf(access, bucket, key);
  context.secrets.check(address);
  const expiresAt = new Date(Date.now() + expiresInSeconds * 1_000).toISOString();
  return { bucket, key, url: await presigned(access, method, address, expiresInSeconds), expiresAt };
}

function act(data: Data, place: BucketContext): Promise<unknown> {
  switch (data.action) {
    case "put":
      return put(data, place);
    case "get":
      return get(data, place);
    case "list":
      return list(data, place);
    case "delete":
      return remove(data, place);
    case "presign":
      return presign(data, place);
  }
}

/**
 * Works with S3 objects. Every action is safe to repeat: an interrupted step stores, reads or deletes the same object
 * again.
 */
export const s3: Perform<"s3"> = async (data, context) => {
  const { data: access } = await openTyped(context.secrets, data.credential, "s3");
  const bucket = data.bucket ?? access.bucket;
  if (bucket === undefined)
    return failed("invalid_data", "/data/bucket: neither the step nor the credential names a bucket.", false);
  try {
    return done(await act(data, { access, bucket, context }));
  } catch (error) {
    return failedBy(error);
  }
};
