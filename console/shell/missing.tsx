import { Link, useRouter } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { problemOf } from "../data/problem.ts";
import { m } from "../messages/index.ts";
import { buttonClass } from "../ui/button.tsx";
import { UnseenTitle } from "../ui/page.tsx";
import { Empty, Failure, SearchForMissing } from "../ui/states.tsx";

/** For what does not exist, or may not be seen. */
export const Missing = () => (
  <>
    <UnseenTitle>{m.problem.notFound}</UnseenTitle>
    <Empty
      icon={<SearchX size={20} aria-hidden />}
      title={m.problem.notFound}
      action={
        <>
          <SearchForMissing />
          <Link to="/" className={buttonClass({})}>
            {m.places.home}
          </Link>
        </>
      }
    >
      {m.problem.notFoundDetail}
    </Empty>
  </>
);

/** An address that leads to no page. */
export const MissingPage = () => (
  <main>
    <Missing />
  </main>
);

/** A page that threw. */
export function PageFailure({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const problem = problemOf(error);
  return (
    <>
      <UnseenTitle>{problem.title}</UnseenTitle>
      <Failure problem={problem} onRetry={retry} />
    </>
  );
}
