import type { Run } from "./runs.ts";

/** The page of one run. */
export const runPath = (w: string, { spaceId, id }: Pick<Run, "spaceId" | "id">): string =>
  `/w/${w}/s/${spaceId}/runs/${id}`;

/** The builder of one workflow. */
export const builderPath = (w: string, { spaceId, id }: { spaceId: string; id: string }): string =>
  `/w/${w}/s/${spaceId}/f/${id}`;
