import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { AnsweredQuestion } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { isAnswer } from "./questions.ts";

export type { AnsweredQuestion } from "../../sdk/definition.ts";

export interface AnswerFilters {
  by?: string | undefined;
  workflow?: string | undefined;
}

const PAGE = 50;

/** The answers that people gave in a workspace, newest first. Answering a question refreshes the list. */
export const answersQuery = (workspaceId: string, { by, workflow }: AnswerFilters) =>
  infiniteQueryOptions({
    queryKey: ["w", workspaceId, "questions", "answered", by ?? "", workflow ?? ""],
    queryFn: ({ signal, pageParam }) => {
      const filters = { ...(by && { answeredBy: by }), ...(workflow && { workflowId: workflow }) };
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      return Promise.resolve(weft.executions.answers({ workspaceId, limit: PAGE, ...filters, ...cursor }, { signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
  });

/** The data that a person sent with an answer. Lists leave out large data, so this reads it from the log. */
export const answerDataQuery = (workspaceId: string, one: AnsweredQuestion) =>
  queryOptions({
    queryKey: ["w", workspaceId, "answer-data", one.executionId, one.seq],
    queryFn: async ({ signal }): Promise<unknown> => {
      if (one.dataBytes === undefined) return one.data;
      const { executionId: id, spaceId, seq } = one;
      const { output } = await weft.executions.logEntry({ workspaceId, spaceId, id, seq }, { signal });
      return isAnswer(output) ? output.data : null;
    },
    staleTime: Infinity,
    ...(one.dataBytes === undefined && { initialData: () => one.data ?? null }),
  });
