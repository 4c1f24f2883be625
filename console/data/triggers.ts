import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import type { Schedule, Webhook, WorkflowCaller } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";

const MAX = 200;
/** How often an open list of triggers is read, because deliveries and due times change it. */
const LOOK_MS = 15_000;
/** How often deliveries are read. People watch them while they set up the sender. */
const WATCH_MS = 2_000;

type Address = Pick<Webhook, "spaceId" | "id">;
type TriggerInput<T> = Omit<T, "workspaceId" | "spaceId" | "id">;

const renew = (workspaceId: string, what: "webhooks" | "schedules") =>
  queryClient.invalidateQueries({ queryKey: ["w", workspaceId, what] });

export const webhooksQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "webhooks"],
    queryFn: async ({ signal }): Promise<Webhook[]> =>
      (await weft.webhooks.listAll({ workspaceId, limit: MAX }, { signal })).items,
    refetchInterval: LOOK_MS,
  });

/** The last deliveries to a webhook, newest first. */
export const deliveriesQuery = (workspaceId: string, { spaceId, id }: Address) =>
  queryOptions({
    queryKey: ["w", workspaceId, "deliveries", id],
    queryFn: async ({ signal }) => (await weft.webhooks.deliveries({ workspaceId, spaceId, id }, { signal })).items,
    refetchInterval: WATCH_MS,
  });

export type NewWebhookGiven = TriggerInput<Parameters<typeof weft.webhooks.create>[0]> & { spaceId: string };
export type WebhookChange = TriggerInput<Parameters<typeof weft.webhooks.update>[0]>;

export const useMakeWebhook = (workspaceId: string) =>
  useMutation({
    mutationFn: async (given: NewWebhookGiven) => weft.webhooks.create({ workspaceId, ...given }),
    onSuccess: () => renew(workspaceId, "webhooks"),
    meta: { shown: true },
  });

export const useChangeWebhook = (workspaceId: string) =>
  useMutation({
    mutationFn: async ({ at, ...change }: WebhookChange & { at: Address }) =>
      weft.webhooks.update({ workspaceId, spaceId: at.spaceId, id: at.id, ...change }),
    onSettled: () => renew(workspaceId, "webhooks"),
  });

export const useRotateSecret = (workspaceId: string) =>
  useMutation({
    mutationFn: async ({ spaceId, id }: Address) => weft.webhooks.rotateSecret({ workspaceId, spaceId, id }),
    onSettled: () => renew(workspaceId, "webhooks"),
  });

export const useTestWebhook = (workspaceId: string) =>
  useMutation({
    mutationFn: async ({ at, input }: { at: Address; input: unknown }) =>
      weft.webhooks.test({ workspaceId, spaceId: at.spaceId, id: at.id, input }),
    onSettled: () => renew(workspaceId, "webhooks"),
    meta: { shown: true },
  });

export const useRemoveWebhook = (workspaceId: string) =>
  useMutation({
    mutationFn: async ({ spaceId, id }: Address) => weft.webhooks.remove({ workspaceId, spaceId, id }),
    onSettled: () => renew(workspaceId, "webhooks"),
    meta: { shown: true },
  });

export const schedulesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "schedules"],
    queryFn: async ({ signal }): Promise<Schedule[]> =>
      (await weft.schedules.listAll({ workspaceId, limit: MAX }, { signal })).items,
    refetchInterval: LOOK_MS,
  });

/** The schedules and webhooks that start a workflow. */
export const triggersOfQuery = ({ workspaceId, id }: { workspaceId: string; id: string }) =>
  queryOptions({
    queryKey: ["w", workspaceId, "triggers", id],
    queryFn: async ({ signal }): Promise<{ schedules: Schedule[]; webhooks: Webhook[] }> => {
      const of = { workspaceId, workflowId: id, limit: MAX };
      const [schedules, webhooks] = await Promise.all([
        weft.schedules.listAll(of, { signal }),
        weft.webhooks.listAll(of, { signal }),
      ]);
      return { schedules: schedules.items, webhooks: webhooks.items };
    },
  });

/** The workflows with a step that runs this workflow. */
export const callersQuery = (at: { workspaceId: string; spaceId: string; id: string }) =>
  queryOptions({
    queryKey: ["w", at.workspaceId, "callers", at.id],
    queryFn: async ({ signal }): Promise<WorkflowCaller[]> =>
      (await weft.workflows.callers({ ...at, limit: MAX }, { signal })).items,
  });

/** The next times of a cron expression, computed by the service, with the time zone that they are of. */
export const previewQuery = (workspaceId: string, cronExpr: string, timezone: string) =>
  queryOptions({
    queryKey: ["w", workspaceId, "preview", cronExpr, timezone],
    queryFn: async ({ signal }) =>
      // The default space has the id of its workspace.
      ({
        ...(await weft.schedules.preview({ workspaceId, spaceId: workspaceId, cronExpr, timezone, count: 5 }, { signal })),
        timezone,
      }),
    staleTime: 60_000,
    // The table stays while new times load, so that the fields below it do not move.
    placeholderData: keepPreviousData,
  });

export type ScheduleGiven = TriggerInput<Parameters<typeof weft.schedules.create>[0]> & { spaceId: string };

/** Creates a schedule, or changes the one at this address. */
export const useSaveSchedule = (workspaceId: string, at: Address | undefined) =>
  useMutation({
    mutationFn: async ({ workflowId, spaceId, ...times }: ScheduleGiven) =>
      at
        ? weft.schedules.update({ workspaceId, spaceId: at.spaceId, id: at.id, ...times })
        : weft.schedules.create({ workspaceId, spaceId, workflowId, ...times }),
    onSuccess: () => renew(workspaceId, "schedules"),
    meta: { shown: true },
  });

export const useEnableSchedule = (workspaceId: string) =>
  useMutation({
    mutationFn: async ({ at, enabled }: { at: Address; enabled: boolean }) =>
      weft.schedules.update({ workspaceId, spaceId: at.spaceId, id: at.id, enabled }),
    onSettled: () => renew(workspaceId, "schedules"),
  });

export const useRunSchedule = (workspaceId: string) =>
  useMutation({
    mutationFn: async ({ spaceId, id }: Address) => weft.schedules.run({ workspaceId, spaceId, id }),
  });

export const useRemoveSchedule = (workspaceId: string) =>
  useMutation({
    mutationFn: async ({ spaceId, id }: Address) => weft.schedules.remove({ workspaceId, spaceId, id }),
    onSettled: () => renew(workspaceId, "schedules"),
    meta: { shown: true },
  });
