import { lazy, Suspense } from "react";
import type { Workflow } from "../../sdk/definition.ts";

const DeployedWarnings = lazy(async () => ({
  default: (await import("./deployed-warnings.tsx")).DeployedWarnings,
}));

/** The warnings of the version that is live, as long as it is the one that was read. */
export function LiveWarnings({ live, workflow }: { live: number | null; workflow: Workflow }) {
  const { deployedVersion, deployedWarnings } = workflow;
  if (live === null || live !== deployedVersion || !deployedWarnings) return null;
  return (
    <Suspense fallback={null}>
      <DeployedWarnings version={live} warnings={deployedWarnings} />
    </Suspense>
  );
}
