import { useRouter } from "@tanstack/react-router";
import { problemOf } from "../data/problem.ts";
import { m } from "../messages/index.ts";
import { HiddenTitle } from "../ui/page.tsx";
import { Failure, NotFound } from "../ui/states.tsx";

/** Shown for an address without a page, and for a workspace that does not exist or that the user may not see. */
export const Missing = () => (
  <>
    <HiddenTitle>{m.problem.notFound}</HiddenTitle>
    <NotFound />
  </>
);

/** Shown if a page threw an error. */
export function PageFailure({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const problem = problemOf(error);
  return (
    <>
      <HiddenTitle>{problem.title}</HiddenTitle>
      <Failure problem={problem} onRetry={retry} />
    </>
  );
}
