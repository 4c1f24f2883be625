import { z } from "zod";

/** The largest number in LIMITS. It means no limit. */
const UNLIMITED = 999_999_999_999;

/** The limits by name: the default, and what is counted. */
export const LIMITS = {
  knowledge_bases: { usual: 1_000, what: "knowledge bases in a workspace" },
  knowledge_entries: { usual: 1_000_000, what: "entries in the knowledge bases of a workspace" },
  knowledge_base_entries: { usual: 100_000, what: "entries in a knowledge base" },
  knowledge_imports: { usual: 1_000, what: "unfinished imports in a workspace" },
  knowledge_uploads: { usual: 50, what: "files being uploaded in a workspace" },
  memories: { usual: 1_000_000, what: "memories in a workspace" },
  user_memories: { usual: 20_000, what: "memories of a user, including superseded ones" },
  mcp_servers: { usual: 100, what: "MCP servers in a workspace" },
  files: { usual: 100_000, what: "files and large outputs in a workspace" },
  file_bytes: { usual: 10_737_418_240, what: "bytes of files and large outputs in a workspace" },
  schedules: { usual: 1_000, what: "schedules in a space" },
  webhooks: { usual: 1_000, what: "webhooks in a space" },
  signals: { usual: 1_000_000, what: "signals that are kept in a workspace" },
  credentials: { usual: 1_000, what: "credentials in a workspace" },
  members: { usual: 10_000, what: "members of a workspace" },
  executions_per_day: { usual: UNLIMITED, what: "runs that were started in a workspace in a day" },
  executions_per_month: { usual: UNLIMITED, what: "runs that were started in a workspace in a month" },
  executions_at_once: { usual: UNLIMITED, what: "unfinished runs in a workspace, also those that wait" },
  steps_per_month: { usual: UNLIMITED, what: "steps that ended in a workspace in a month" },
  model_tokens_per_month: { usual: UNLIMITED, what: "tokens of models that a workspace used in a month" },
} as const;

export type LimitName = keyof typeof LIMITS;

const NAMES = Object.keys(LIMITS) as LimitName[];
const EXPECTED = `limits such as schedules=200, by commas, out of ${NAMES.join(", ")}`;
const ITEM = new RegExp(`^(${NAMES.join("|")})=(\\d{1,12})$`);

const usual = Object.fromEntries(NAMES.map(name => [name, LIMITS[name].usual])) as Record<LimitName, number>;

/** `schedules=200,memories=5000`: the other limits keep their defaults. */
export const limits = z
  .string()
  .transform(value => value.split(",").flatMap(part => part.trim() || []))
  .refine(parts => parts.every(part => ITEM.test(part)), EXPECTED)
  .transform(parts => {
    const given = parts.map(part => [part.slice(0, part.indexOf("=")), Number(part.slice(part.indexOf("=") + 1))]);
    return Object.freeze({ ...usual, ...(Object.fromEntries(given) as Partial<Record<LimitName, number>>) });
  });
