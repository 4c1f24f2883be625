import type { Run } from "./runs.ts";

/** The path of the page of a run. */
export const runPath = (w: string, { spaceId, id }: Pick<Run, "spaceId" | "id">): string =>
  `/w/${w}/s/${spaceId}/runs/${id}`;

const RUN_ID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Whether a text is the id of a run. Pasted text may have spaces around it. */
export const isRunId = (text: string): boolean => RUN_ID.test(text.trim());

/** The path of the builder for a workflow. */
export const builderPath = (w: string, { spaceId, id }: { spaceId: string; id: string }): string =>
  `/w/${w}/s/${spaceId}/f/${id}`;

/** The route of the builder for a workflow, for links with search parameters. */
export const builderSpot = (w: string, { spaceId: s, id }: { spaceId: string; id: string }) =>
  ({ to: "/w/$w/s/$s/f/$id", params: { w, s, id } }) as const;
