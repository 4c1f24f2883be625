import { z } from "zod";
import { fileValue } from "../../../contracts/entities/file.ts";
import { MAX_LISTED } from "../storage-data.ts";
import { EXAMPLE_ID, type WordsOf } from "./words.ts";

const place = { bucket: z.string(), key: z.string() };

export const STORAGE: WordsOf<"s3"> = {
  s3: {
    category: "outside",
    title: "Object storage",
    summary: "Works with objects of S3.",
    docs: "Works with the objects of S3, or of a store with the same protocol. Weft streams [files](files.md), and never holds a whole file in memory.",
    icon: "archive",
    keywords: ["aws", "bucket", "minio", "upload", "download", "file", "blob", "r2"],
    fields: {
      action: { title: "Action", docs: "`put`, `get`, `list`, `delete` or `presign`" },
      credential: {
        title: "Credential",
        docs: "the id of a [credential](connections.md#use-a-credential) of the type `s3`",
        widget: "credential",
        credentialType: "s3",
      },
      bucket: { title: "Bucket", docs: "the bucket. The default is that of the credential" },
      key: {
        title: "Key",
        docs: "the name of the object, such as `reports/may.pdf`. Not for `list`",
        widget: "expression",
      },
      body: {
        title: "Content",
        docs: "for `put`: a [file](files.md), a text, or any other value, which is stored as JSON",
        widget: "expression",
      },
      contentType: { title: "Type", docs: "for `put`: the media type. The default is that of the content" },
      prefix: { title: "Prefix", docs: "for `list`: only objects whose keys begin with this", widget: "expression" },
      limit: { title: "Maximum number of objects", docs: `for \`list\`: up to ${MAX_LISTED.toLocaleString("en")}` },
      method: {
        title: "Method",
        docs: "for `presign`: `GET` for a URL that reads the object, `PUT` for a URL that stores it",
      },
      expiresInSeconds: { title: "Valid for", docs: "for `presign`: how long the URL is valid, up to a week" },
    },
    output: z.union([
      z.object({ ...place, etag: z.string(), size: z.int() }),
      z.object({ ...place, etag: z.string(), file: fileValue.nullable() }),
      z.object({
        bucket: z.string(),
        objects: z.array(z.object({ key: z.string(), size: z.int(), etag: z.string(), lastModified: z.string() })),
        truncated: z.boolean(),
      }),
      z.object({ ...place, deleted: z.literal(true) }),
      z.object({ ...place, url: z.string(), expiresAt: z.string() }),
    ]),
    defaults: { action: "put", key: "" },
    examples: [
      {
        title: "Store a report",
        data: {
          action: "put",
          credential: EXAMPLE_ID.storage,
          key: "reports/{{ input.month }}.json",
          body: { orders: "{{ input.orders }}" },
        },
        input: { month: "may", orders: 7 },
        sample: {
          bucket: "bucket",
          key: "reports/may.json",
          etag: '"54eedda5e1fce9d96292ad8d50014ce4"',
          size: 12,
        },
      },
      {
        title: "List what is stored",
        data: { action: "list", credential: EXAMPLE_ID.storage, prefix: "none/" },
        sample: { bucket: "bucket", objects: [], truncated: false },
      },
    ],
  },
};
