import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { workflowQuery } from "../../data/workflows.ts";
import { inputSchemaOf, useRunInput } from "../../forms/run-input.tsx";
import { triggers as words } from "../../messages/en-triggers.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

type Address = Parameters<typeof workflowQuery>[1];

const { input: label, inputHint: hint, inputBad: bad } = words.schedules;

interface Input {
  /** Undefined while the workflow loads, or if the typed text is not a valid input. */
  given: { value: unknown } | undefined;
  part: ReactNode;
}

/** The input for the runs that a schedule of this workflow starts. */
export function useInput(workspaceId: string, at: Address | undefined, initial: unknown, tried: boolean): Input {
  const { data, error } = useQuery({
    ...workflowQuery(workspaceId, at ?? { id: "", spaceId: "" }),
    enabled: at !== undefined,
  });
  const input = useRunInput({
    ...{ of: at?.id ?? "", schema: inputSchemaOf(data?.definition), example: initial },
    ...{ tried, error: null, words: { label, hint, bad }, rows: 3 },
  });
  return at && !data && !error ? { given: undefined, part: <Skeleton width={240} /> } : input;
}
