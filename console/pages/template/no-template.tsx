import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-templates.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";

interface Props {
  w: string;
  /** Whether the list of templates has loaded and does not contain the template. */
  isMissing: boolean;
  error: Error | null;
  onRetry: () => void;
}

/** Shown for a template that does not exist or has not loaded. */
export function NoTemplate({ w, isMissing, error, onRetry }: Props) {
  const all = (
    <Link to="/w/$w/templates" params={{ w }} className={buttonClass({})}>
      {words.toAll}
    </Link>
  );
  return (
    <Page title={words.title}>
      <Card flush>
        {isMissing ? (
          <Empty icon={<SearchX size={20} aria-hidden />} title={words.missing} action={all}>
            {words.missingDetail}
          </Empty>
        ) : error ? (
          <Failure problem={problemOf(error)} onRetry={onRetry} />
        ) : (
          <SkeletonRows rows={8} />
        )}
      </Card>
    </Page>
  );
}
