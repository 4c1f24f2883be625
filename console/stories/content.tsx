import { CirclePlay, Inbox } from "lucide-react";
import { useState } from "react";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { type DayBar, DayBars } from "../ui/day-bars.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Logo } from "../ui/logo.tsx";
import { Card } from "../ui/page.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";
import { Skeleton, SkeletonRows } from "../ui/skeleton.tsx";
import { Empty, Failure, Notice } from "../ui/states.tsx";
import type { StatusName } from "../ui/status-name.ts";
import { Status } from "../ui/status.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Duration, Time } from "../ui/time.tsx";
import { doNothing, Stories, Story } from "./story.tsx";

const STATUSES: readonly StatusName[] = [
  ...([
    "pending",
    "running",
    "retrying",
    "suspended",
    "asking",
    "completed",
    "failed",
    "cancelled",
    "unstarted",
  ] as const),
  "skipped",
];

const PROBLEM = {
  title: "The service is temporarily unavailable",
  detail: "The store does not answer.",
  status: 503,
  code: "unavailable",
  requestId: "0198c1d2-0000-7000-8000-000000000000",
};

const DAYS: readonly DayBar[] = Array.from({ length: 30 }, (_, n) => {
  const [good, bad] = [(n * 7) % 23, n % 6 === 0 ? 4 : 0];
  return {
    day: `2026-01-${String(n + 1).padStart(2, "0")}`,
    label: `${good} completed, ${bad} failed`,
    good,
    bad,
    other: n % 3,
  };
});

const TEXT =
  "# Expense approval\n\nAsks a **person** above the *limit*, see [the docs](/docs).\n\n- `input.amount`\n- a list\n\n```\n{{ steps.check.ok }}\n```";

const States = () => (
  <Stories title="Status">
    {STATUSES.map(status => (
      <Story key={status} name={status}>
        <Status status={status} />
        <Status status={status} iconOnly />
        <Status status={status} size={24} iconOnly />
      </Story>
    ))}
  </Stories>
);

const Says = () => (
  <Stories title="What a page says">
    <Story name="empty, with one act" wide>
      <Card flush>
        <Empty
          icon={<CirclePlay size={20} aria-hidden />}
          title="No runs yet"
          action={<Button tone="primary">Choose a workflow</Button>}
        >
          A run appears here as soon as a workflow is started.
        </Empty>
      </Card>
    </Story>
    <Story name="empty, small">
      <Card flush>
        <Empty small icon={<Inbox size={20} aria-hidden />} title="Nothing waits for you" />
      </Card>
    </Story>
    <Story name="failed, small">
      <Card flush>
        <Failure small problem={PROBLEM} onRetry={doNothing} />
      </Card>
    </Story>
    <Story name="failed" wide>
      <Card flush>
        <Failure problem={PROBLEM} onRetry={doNothing} />
      </Card>
    </Story>
    <Story name="notice: information">
      <Notice>You may read this, but not change it.</Notice>
    </Story>
    <Story name="notice: warning, with an act">
      <Notice tone="warn" action={<Button size="small">Reload</Button>}>
        Connection lost. Shown as of 14:02.
      </Notice>
    </Story>
    <Story name="notice: failure">
      <Notice tone="bad">
        <strong>Not sent.</strong> The service does not answer. What you typed is kept.
      </Notice>
    </Story>
    <Story name="loading">
      <Card flush>
        <SkeletonRows rows={4} />
      </Card>
    </Story>
    <Story name="loading, one line">
      <Skeleton width={180} />
    </Story>
  </Stories>
);

const Content = () => {
  const [tab, setTab] = useState("members");
  const [day, setDay] = useState<string | undefined>(DAYS[12]!.day);
  const [now] = useState(() => Date.now());
  const ago = (ms: number) => new Date(now - ms).toISOString();
  return (
    <Stories title="Content">
      <Story name="card with a title, a lead and an act" wide>
        <Card title="API keys" lead="For programs that call Weft." aside={<Button size="small">New key</Button>}>
          <p>A key acts in the name of its maker.</p>
        </Card>
      </Story>
      <Story name="card without content">
        <Card title="Workflow" aside="Both ran version 1." flush>
          {null}
        </Card>
      </Story>
      <Story name="tabs with counts">
        <Tabs
          label="Settings"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: "general", label: "General" },
            { value: "members", label: "Members", count: 12 },
            { value: "keys", label: "Keys", count: 0 },
          ]}
        >
          <p>The panel of {tab}.</p>
        </Tabs>
      </Story>
      <Story name="avatars">
        <Avatar name="Ada Lovelace" size={20} />
        <Avatar name="grace.hopper@example.com" size={24} />
        <Avatar name="Katherine" size={28} />
        <Avatar name="Analytical Engines" size={32} square />
        <Logo size={24} />
      </Story>
      <Story name="times: now, minutes, days; a duration">
        <Time at={ago(2_000)} />
        <Time at={ago(300_000)} />
        <Time at={ago(3 * 86_400_000)} />
        <Duration from={ago(61_000)} to={ago(0)} />
      </Story>
      <Story name="days, one picked">
        <DayBars days={DAYS} label="Runs of 30 days" picked={day} onPick={setDay} />
      </Story>
      <Story name="days without a run">
        <DayBars days={DAYS.map(one => ({ ...one, good: 0, bad: 0, other: 0 }))} label="No runs" />
      </Story>
      <Story name="shown once">
        <ShownOnce label="Store this key" value="wfk_6f0d5c6d4e9f4a1f8a2b7c3d_0123456789abcdef0123456789abcdef" />
      </Story>
      <Story name="Markdown">
        <Markdown text={TEXT} />
      </Story>
    </Stories>
  );
};

/** Components that show content. */
export const Contents = () => (
  <>
    <States />
    <Says />
    <Content />
  </>
);
