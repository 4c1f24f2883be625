import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  BellOff,
  CheckCheck,
  FileInput,
  MessageCircleQuestion,
  MessageSquare,
  OctagonX,
  Server,
  UserRound,
} from "lucide-react";
import type { ReactNode } from "react";
import { type NotificationGroup, grouped, pageOf } from "../../data/notification-links.ts";
import { notificationsQuery, useRead, useReadAll } from "../../data/notifications.ts";
import { problemOf } from "../../data/problem.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import cut from "../../ui/cut.module.css";
import { Card, Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./notifications.module.css";

const size = { size: 16, strokeWidth: 1.75, "aria-hidden": true } as const;

function iconOf(type: string): ReactNode {
  if (type === "approval_needed") return <MessageCircleQuestion {...size} className={styles.asks} />;
  if (type === "execution_failed") return <OctagonX {...size} className={styles.failed} />;
  if (type.startsWith("mcp_")) return <Server {...size} />;
  if (type.startsWith("import_")) return <FileInput {...size} />;
  return type === "message" ? <MessageSquare {...size} /> : <UserRound {...size} />;
}

function Row({ group }: { group: NotificationGroup }) {
  const { first, others, unread } = group;
  const read = useRead();
  const page = pageOf(first);
  const isUnread = unread.length > 0;
  const open = () => {
    if (isUnread) read.mutate(unread);
  };
  const content = (
    <>
      <span className={styles.icon}>{iconOf(first.type)}</span>
      <span className={styles.texts}>
        <span className={styles.title}>
          {isUnread ? <span className="visually-hidden">{answerTexts.notificationsPage.unread}: </span> : null}
          {first.title}
        </span>
        {first.body ? <span className={cx(styles.body, cut.lines)}>{first.body}</span> : null}
        {others.length > 0 ? (
          <span className={styles.more}>{answerTexts.notificationsPage.earlier(others.length)}</span>
        ) : null}
      </span>
      <span className={styles.time}>
        <Time at={first.createdAt} />
        {isUnread ? <span className={styles.dot} aria-hidden /> : null}
      </span>
    </>
  );
  return (
    <li className={styles.item} data-unread={isUnread || undefined}>
      {page === undefined ? (
        <button type="button" className={styles.row} onClick={open}>
          {content}
        </button>
      ) : (
        <Link to={page} className={styles.row} onClick={open}>
          {content}
        </Link>
      )}
    </li>
  );
}

export function NotificationsPage() {
  const query = useInfiniteQuery(notificationsQuery);
  const readAll = useReadAll();
  const groups = grouped(query.data?.pages.flatMap(({ items }) => items) ?? []);
  const hasUnread = groups.some(({ unread }) => unread.length > 0);
  return (
    <Page
      narrow
      title={answerTexts.notificationsPage.title}
      actions={
        <Button
          icon={<CheckCheck size={14} aria-hidden />}
          // A disabled button would lose the focus after it was pressed.
          aria-disabled={!hasUnread || undefined}
          busy={readAll.isPending}
          onClick={() => hasUnread && readAll.mutate()}
        >
          {answerTexts.notificationsPage.readAll}
        </Button>
      }
    >
      {query.data === undefined ? (
        query.error ? (
          <Card>
            <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
          </Card>
        ) : (
          <Card flush>
            <SkeletonRows tall />
          </Card>
        )
      ) : groups.length === 0 ? (
        <Card>
          <Empty icon={<BellOff size={20} aria-hidden />} title={answerTexts.notificationsPage.empty}>
            {answerTexts.notificationsPage.emptyDetail}
          </Empty>
        </Card>
      ) : (
        <>
          <Card flush>
            <ul data-rows>
              {groups.map(group => (
                <Row key={group.first.id} group={group} />
              ))}
            </ul>
          </Card>
          {query.hasNextPage ? (
            <Button className={styles.load} busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {answerTexts.notificationsPage.more}
            </Button>
          ) : null}
        </>
      )}
    </Page>
  );
}
