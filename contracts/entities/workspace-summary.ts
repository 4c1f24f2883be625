import { z } from "zod";
import { executionStatus } from "./execution.ts";
import { SERVER_STATUSES } from "./mcp-server.ts";
import { timestamp } from "../primitives.ts";

const number = z.int().min(0);

/** A snapshot of the numbers of a workspace. A part is null if its service does not respond. */
export const workspaceSummary = z
  .object({
    workflows: z.object({ active: number, trashed: number }).nullable(),
    executions: z
      .object({ since: timestamp, byStatus: z.record(executionStatus, number) })
      .nullable()
      .meta({ description: "The executions since the beginning of yesterday, in UTC." }),
    questions: z
      .object({ open: number })
      .nullable()
      .meta({ description: "The number of open questions, counted in up to a few hundred executions." }),
    unread: number
      .nullable()
      .meta({ description: "The caller's unread notifications, at most 1,000; null for API keys." }),
    mcpServers: z.object({ total: number, byStatus: z.record(z.enum(SERVER_STATUSES), number) }).nullable(),
  })
  .meta({ id: "WorkspaceSummary" });
export type WorkspaceSummary = z.infer<typeof workspaceSummary>;
