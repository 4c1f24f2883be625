import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CalendarClock, Ellipsis, Plus } from "lucide-react";
import { useState } from "react";
import type { Schedule } from "../../../sdk/definition.ts";
import { runPath } from "../../data/paths.ts";
import { problemOf } from "../../data/problem.ts";
import { schedulesQuery, useEnableSchedule, useRemoveSchedule, useRunSchedule } from "../../data/triggers.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { cronOf, formOf } from "./cron-form.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import styles from "./schedules.module.css";

/** When a schedule runs, in words where there are any. */
function whenText({ cronExpr, timezone }: Schedule): string {
  const form = formOf(cronExpr);
  const words = {
    minutes: `${m.schedules.every} ${m.schedules.everyMinutes(form.every)}`,
    hours: `${m.schedules.rhythms.hours}, :${form.time.slice(3)}`,
    days: `${m.schedules.rhythms.days}, ${form.time}`,
    weekdays: `${m.schedules.rhythms.weekdays}, ${form.time}`,
    weeks: `${m.schedules.weekdays[form.weekday]}, ${form.time}`,
    months: `${m.schedules.rhythms.months}, ${form.day}, ${form.time}`,
    custom: cronOf(form),
  }[form.rhythm];
  return `${words} · ${timezone}`;
}

function Next({ schedule }: { schedule: Schedule }) {
  if (schedule.restingReason !== null) return m.schedules.resting[schedule.restingReason];
  return schedule.nextRunAt === null ? m.schedules.off : <Time at={schedule.nextRunAt} />;
}

interface RowProps {
  schedule: Schedule;
  onEdit: () => void;
  onRemove: () => void;
}

function Row({ schedule, onEdit, onRemove }: RowProps) {
  const { id: workspaceId, slug, role } = useWorkspace();
  const enable = useEnableSchedule(workspaceId);
  const run = useRunSchedule(workspaceId);
  const navigate = useNavigate();
  const { workflowId, workflowName = workflowId.slice(0, 8), enabled, spaceId, lastRunAt, lastExecutionId } = schedule;
  const may = includesRole(role, "editor");
  const start = () =>
    run.mutate(schedule, {
      onSuccess: started => {
        toast.done(m.schedules.started);
        void navigate({ to: runPath(slug, started) });
      },
    });
  return (
    <li className={styles.row} data-off={!enabled || undefined}>
      <Switch
        label={m.schedules.enable(workflowName)}
        checked={enabled}
        disabled={!may}
        title={may ? undefined : m.needsRole(m.role.editor)}
        onChange={next => enable.mutate({ at: schedule, enabled: next })}
      />
      <div className={styles.what}>
        <span className={styles.name}>{workflowName}</span>
        <span className={styles.detail}>{whenText(schedule)}</span>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{m.schedules.next}</dt>
          <dd>
            <Next schedule={schedule} />
          </dd>
        </div>
        <div>
          <dt>{m.schedules.last}</dt>
          <dd>
            {lastRunAt === null || lastExecutionId === null ? (
              m.schedules.never
            ) : (
              <Link to={runPath(slug, { spaceId, id: lastExecutionId })} className={styles.link}>
                <Time at={lastRunAt} />
              </Link>
            )}
          </dd>
        </div>
      </dl>
      {may ? (
        <Menu
          align="end"
          trigger={
            <IconButton size="small" label={m.schedules.more(workflowName)}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem onSelect={start}>{m.schedules.runNow}</MenuItem>
          <MenuItem onSelect={onEdit}>{m.schedules.edit}</MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={onRemove}>
            {m.schedules.remove}
          </MenuItem>
        </Menu>
      ) : null}
    </li>
  );
}

export function SchedulesPage() {
  const { id, role } = useWorkspace();
  const { data, error, refetch } = useQuery(schedulesQuery(id));
  const [edited, setEdited] = useState<Schedule | "new">();
  const [removing, setRemoving] = useState<Schedule>();
  const remove = useRemoveSchedule(id);
  const may = includesRole(role, "editor");
  const removed = () => {
    setRemoving(undefined);
    toast.done(m.schedules.removed);
  };
  return (
    <Page
      title={m.schedules.title}
      lead={m.schedules.lead}
      actions={
        <Button
          tone="primary"
          icon={<Plus size={14} aria-hidden />}
          disabled={!may}
          title={may ? undefined : m.needsRole(m.role.editor)}
          onClick={() => setEdited("new")}
        >
          {m.schedules.make}
        </Button>
      }
    >
      <Card flush>
        {error && !data ? <Failure problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
        {!data && !error ? <SkeletonRows rows={4} /> : null}
        {data?.length === 0 ? (
          <Empty icon={<CalendarClock size={20} aria-hidden />} title={m.schedules.empty}>
            {m.schedules.emptyDetail}
          </Empty>
        ) : null}
        <ul>
          {data?.map(schedule => (
            <Row
              key={schedule.id}
              schedule={schedule}
              onEdit={() => setEdited(schedule)}
              onRemove={() => setRemoving(schedule)}
            />
          ))}
        </ul>
      </Card>
      <ScheduleDialog
        open={edited !== undefined}
        schedule={edited === "new" ? undefined : edited}
        onClose={() => setEdited(undefined)}
      />
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={m.schedules.removeTitle}
        confirm={m.schedules.remove}
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing, { onSuccess: removed })}
      >
        {m.schedules.removeDetail}
      </Confirm>
    </Page>
  );
}
