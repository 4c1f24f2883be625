import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { weft } from "./client.ts";
import { pollEvery } from "./live.ts";
import { queryClient } from "./query-client.ts";
import { type Asked, questionKey } from "./question-address.ts";

export type OpenQuestion = Awaited<ReturnType<typeof weft.executions.questions>>["items"][number];

export const SHOWN = ["mine", "unassigned", "all"] as const;
export type Shown = (typeof SHOWN)[number];

const PAGE = 50;
const LOOK_MS = 15_000;
const keyOf = (workspaceId: string) => ["w", workspaceId, "questions"] as const;

/** The open questions of a workspace, newest runs first: those assigned to the caller, those without an assignee, or all. */
export const questionsQuery = (workspaceId: string, shown: Shown) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(workspaceId), shown],
    queryFn: ({ signal, pageParam }) => {
      const mine = shown === "all" ? {} : { mine: shown === "mine" };
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      return Promise.resolve(weft.executions.questions({ workspaceId, limit: PAGE, ...mine, ...cursor }, { signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery(LOOK_MS),
  });

/**
 * The newest open questions that the caller may answer. Questions assigned to the caller come first. For editors,
 * questions without an assignee follow.
 */
export const questionsForMeQuery = (workspaceId: string, isEditor: boolean) =>
  queryOptions({
    queryKey: [...keyOf(workspaceId), "for-me", isEditor],
    queryFn: async ({ signal }): Promise<OpenQuestion[]> => {
      const { items } = await weft.executions.questions({ workspaceId, limit: PAGE }, { signal });
      const free = isEditor ? items.filter(one => !one.mine && !one.assignees?.length) : [];
      return [...items.filter(({ mine }) => mine), ...free];
    },
    refetchInterval: pollEvery(LOOK_MS),
  });

export const renewQuestions = (workspaceId: string) =>
  queryClient.invalidateQueries({ queryKey: keyOf(workspaceId) });

/** Identifies a question among those of all runs. */
export const openKey = (executionId: string, asked: Asked): string => `${executionId}|${questionKey(asked)}`;
export const keyOfOpen = (one: OpenQuestion): string => openKey(one.executionId, one);

export interface WorkflowQuestions {
  workflowId: string;
  name: string | undefined;
  questions: OpenQuestion[];
}

/** The questions by workflow, in the order in which the workflows first appear. */
export function byWorkflow(questions: readonly OpenQuestion[]): WorkflowQuestions[] {
  const groups = new Map<string, WorkflowQuestions>();
  for (const one of questions) {
    const { workflowId, workflowName: name } = one;
    const group = groups.get(workflowId) ?? { workflowId, name, questions: [] };
    groups.set(workflowId, group);
    group.questions.push(one);
  }
  return [...groups.values()];
}
