import { z } from "zod";
import { knowledgeFilter } from "../../contracts/entities/knowledge.ts";
import {
  confidence,
  eventDate,
  factType,
  MAX_INGEST_CHARS,
  MAX_MEMORY_CHARS,
  memorySubject,
  MEMORY_SCOPES,
  metadata,
} from "../../contracts/entities/memory.ts";
import { ROLES } from "../../contracts/primitives.ts";
import { messageFiles } from "./file-data.ts";

const present = z.custom<unknown>(value => value !== undefined, "is needed");
export const text = (max: number) => z.string().max(max);
/** A record whose size is checked before its entries, because a fault for each of 100,000 entries would not help. */
const fewEntries = <V extends z.ZodType>(value: V, max: number) =>
  z
    .record(z.string(), z.unknown())
    .refine(record => Object.keys(record).length <= max, `Must have at most ${max} entries`)
    .pipe(z.record(text(200), value));
/** A list whose length is checked before its items. */
const fewItems = <V extends z.ZodType>(item: V, max: number) => z.array(z.unknown()).max(max).pipe(z.array(item));

/** An object with exactly one of two fields. Forms learn the rule from `x-weft`. */
const oneOf = <S extends z.ZodObject>(schema: S, a: keyof S["shape"] & string, b: keyof S["shape"] & string) =>
  schema
    .refine(data => (data[a] === undefined) !== (data[b] === undefined), `Give either \`${a}\` or \`${b}\`, not both`)
    .meta({ "x-weft": { exactlyOneOf: [[a, b]] } });

const MAX_HEADERS = 200;
export const MAX_CASES = 200;
const MAX_ASSIGNEES = 100;

/** `example` is an input for trying the workflow, for people and builders. Runs ignore it. */
export const trigger = z.object({ example: z.unknown().optional() });

/** An expression that is evaluated for each page. */
const ofPage = text(8_192).regex(/\{\{/, "Expected an expression, such as `{{ response.body.items }}`");
const MAX_PAGES = 10_000;

const pagination = z.object({
  next: z.union([
    z.literal("link"),
    z.strictObject({ url: ofPage }),
    z.strictObject({ query: fewEntries(text(8_192), 20) }),
  ]),
  items: ofPage,
  until: ofPage.optional(),
  maxPages: z.int().min(1).max(MAX_PAGES).default(100),
  delayMs: z.int().min(0).max(60_000).default(0),
});

/** The most time that all pages of a step may take together. Timers cannot wait longer than about three weeks. */
const MAX_PAGES_MS = 86_400_000;

/** The time limit of a step with pages, in ms. The policy's limit applies to each page. */
export function pagesLimitMs(given: unknown, timeoutMs: number): number {
  const found = pagination.safeParse((given as { pagination?: unknown } | null)?.pagination);
  if (!found.success) return timeoutMs;
  const { delayMs, maxPages } = found.data;
  return Math.max(timeoutMs, Math.min((timeoutMs + delayMs) * maxPages, MAX_PAGES_MS));
}

/** The largest response that a step reads as a value. */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** The largest file that a step may request. `MAX_FILE_BYTES` is the limit of the installation. */
const MAX_FILE_RESPONSE_BYTES = 1024 * 1024 * 1024;
const MAX_REDIRECTS = 20;

export const http = z.object({
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]).default("GET"),
  url: z.string().min(1).max(8_192),
  headers: fewEntries(z.union([z.string(), z.number(), z.boolean()]), MAX_HEADERS).prefault({}),
  query: fewEntries(z.union([z.string(), z.number(), z.boolean(), z.null()]), MAX_HEADERS).prefault({}),
  body: z.unknown().optional(),
  failOnStatus: z.boolean().default(true),
  credential: z.uuid().optional(),
  bodyType: z.enum(["json", "form", "text", "multipart", "file"]).optional(),
  response: z.enum(["auto", "json", "text", "file"]).default("auto"),
  retryOn: fewItems(z.union([z.literal("network"), z.int().min(400).max(599), z.enum(["4xx", "5xx"])]), 50).optional(),
  followRedirects: z.int().min(0).max(MAX_REDIRECTS).default(5),
  maxResponseBytes: z.int().min(1).max(MAX_FILE_RESPONSE_BYTES).optional(),
  pagination: pagination.optional(),
});

/** An operation of an API, with the options of an `http` step that concern the response. */
export const api = http
  .pick({
    ...{ failOnStatus: true, response: true, retryOn: true, followRedirects: true },
    ...{ maxResponseBytes: true, pagination: true },
  })
  .extend({ toolId: z.uuid(), arguments: z.record(z.string(), z.unknown()).default({}) });

const switchCase = z.object({ id: text(200).min(1), equals: z.unknown() });
export const transform = z.object({ value: present });

export const condition = z.object({ if: present });

export const switchData = z.object({ value: present, cases: fewItems(switchCase, MAX_CASES) });

export const merge = z.object({ mode: z.enum(["all", "any"]).default("all") });

/** About ten years. A longer delay is a mistake. */
export const MAX_DELAY_MS = 315_360_000_000;
export const delay = oneOf(
  z.object({
    ms: z.number().min(0).max(MAX_DELAY_MS).optional(),
    until: z.iso.datetime({ offset: true }).optional(),
  }),
  "ms",
  "until",
);

/** A small limit, because lists show the form of every execution that waits for an answer. */
export const MAX_FORM_CHARS = 32_768;

export const human = z.object({
  prompt: text(10_000),
  form: z
    .record(z.string(), z.unknown())
    .refine(form => JSON.stringify(form).length <= MAX_FORM_CHARS, "Must not be larger than 32 KiB")
    .optional(),
  assignees: fewItems(text(200), MAX_ASSIGNEES).optional(),
  allowLinks: z.boolean().optional(),
  expiresInMs: z.number().min(1).max(MAX_DELAY_MS).optional(),
});

export const respond = z.object({
  status: z.int().min(200).max(599).default(200),
  headers: fewEntries(z.string(), MAX_HEADERS).prefault({}),
  body: z.unknown().optional(),
});

const MAX_CONCURRENCY = 50;
export const map = z.object({ items: present, concurrency: z.int().min(1).max(MAX_CONCURRENCY).default(1) });

export const MAX_ROUNDS = 10_000;
export const loop = z
  .object({
    carry: z.unknown().optional(),
    while: z.unknown().optional(),
    until: z.unknown().optional(),
    next: z.unknown().optional(),
    maxIterations: z.int().min(1).max(MAX_ROUNDS).default(100),
    delayMs: z.number().min(0).max(MAX_DELAY_MS).default(0),
  })
  .refine(data => data.while !== undefined || data.until !== undefined, "Give `while` or `until`, which end the loop");

export const subworkflow = z.object({
  workflowId: z.uuid(),
  input: z.unknown().optional(),
  version: z.union([z.int().min(1), z.literal("deployed")]).optional(),
});

export const code = z.object({ code: z.string().min(1).max(65_536) });

export const retriever = z.object({
  knowledgeBaseId: z.uuid(),
  query: z.string().trim().min(1).max(10_000),
  topK: z.int().min(1).max(100).default(5),
  filter: knowledgeFilter.optional(),
});

/** The subject and the scope of a step's memories. */
const memoryPlace = {
  scope: z.enum(MEMORY_SCOPES).optional(),
  threadId: text(200).min(1).optional(),
  workflowId: z.uuid().optional(),
  userId: memorySubject.optional(),
};
export const memory = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("search"),
    query: text(MAX_MEMORY_CHARS).min(1),
    limit: z.int().min(1).max(100).optional(),
    ...memoryPlace,
  }),
  z.object({ action: z.literal("ingest"), content: text(MAX_INGEST_CHARS).min(1), ...memoryPlace }),
  z.object({
    action: z.literal("add"),
    content: text(MAX_MEMORY_CHARS).min(1),
    factType: factType.optional(),
    confidence: confidence.optional(),
    eventDate: eventDate.nullable().optional(),
    metadata: metadata.optional(),
    ...memoryPlace,
  }),
]);

/** The greatest length of a prompt, and of one message. The size of a step's data bounds all messages together. */
const MAX_PROMPT_CHARS = 1_000_000;
const message = z
  .object({
    role: z.enum(["system", "user", "assistant"]),
    content: text(MAX_PROMPT_CHARS),
    files: messageFiles.optional(),
  })
  .refine(({ role, files }) => role === "user" || !files?.length, "Only messages of the role `user` have `files`");
export const llm = oneOf(
  z.object({
    prompt: text(MAX_PROMPT_CHARS).optional(),
    messages: fewItems(message, 500)
      .refine(list => list.length > 0, "Must not be empty")
      .optional(),
    files: messageFiles.optional(),
    system: text(200_000).optional(),
    credential: z.uuid().optional(),
    model: text(200).min(1).optional(),
    temperature: z.number().min(0).max(2).optional(),
    maxTokens: z.int().min(1).max(1_000_000).optional(),
    schema: z.record(z.string(), z.unknown()).optional(),
  }),
  "prompt",
  "messages",
);

export const tool = z.object({ toolId: z.uuid(), arguments: z.record(z.string(), z.unknown()).default({}) });

export const notify = oneOf(
  z.object({
    title: text(200).min(1),
    body: text(10_000),
    userIds: fewItems(z.uuid(), MAX_ASSIGNEES).optional(),
    role: z.enum(ROLES).optional(),
  }),
  "userIds",
  "role",
);

export const fail = z.object({ message: text(10_000), code: text(100).optional() });
