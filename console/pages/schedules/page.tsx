import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CalendarClock, Ellipsis, Plus } from "lucide-react";
import { useState } from "react";
import type { Schedule } from "../../../sdk/definition.ts";
import { runPath } from "../../data/paths.ts";
import { useScheduledRun } from "../../data/recent-runs.ts";
import { schedulesQuery, useEnableSchedule, useRemoveSchedule, useRunSchedule } from "../../data/triggers.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { m } from "../../messages/index.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { RunStatus } from "../runs/run-status.tsx";
import { cronOf, formOf } from "./cron-form.ts";
import { OfWorkflow } from "./of-workflow.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { QueryList } from "../../shell/query-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import rows from "../../ui/rows.module.css";
import styles from "./schedules.module.css";

/** Describes when a schedule runs. If there are no words for it, returns the cron expression. */
function whenText({ cronExpr, timezone }: Schedule): string {
  const form = formOf(cronExpr);
  const text = {
    minutes: `${words.schedules.every} ${words.schedules.everyMinutes(form.every)}`,
    hours: `${words.schedules.rhythms.hours}, :${form.time.slice(3)}`,
    days: `${words.schedules.rhythms.days}, ${form.time}`,
    weekdays: `${words.schedules.rhythms.weekdays}, ${form.time}`,
    weeks: `${words.schedules.weekdays[form.weekday]}, ${form.time}`,
    months: `${words.schedules.rhythms.months}, ${form.day}, ${form.time}`,
    custom: cronOf(form),
  }[form.rhythm];
  return `${text} · ${timezone}`;
}

function Next({ schedule }: { schedule: Schedule }) {
  if (schedule.restingReason !== null) return words.schedules.resting[schedule.restingReason];
  return schedule.nextRunAt === null ? words.schedules.off : <Time at={schedule.nextRunAt} />;
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
  const lastRun = useScheduledRun(workspaceId, lastExecutionId);
  const may = includesRole(role, "editor");
  const start = () =>
    run.mutate(schedule, {
      onSuccess: started => {
        toast.done(words.schedules.started);
        void navigate({ to: runPath(slug, started) });
      },
    });
  return (
    <li className={rows.row} data-off={!enabled || undefined}>
      <Switch
        label={words.schedules.enable(workflowName)}
        checked={enabled}
        disabled={!may}
        title={may ? undefined : m.needsRole(m.role.editor)}
        onChange={next => enable.mutate({ at: schedule, enabled: next })}
      />
      <div className={rows.text}>
        <span className={rows.name}>{workflowName}</span>
        <span className={rows.detail}>{whenText(schedule)}</span>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{words.schedules.next}</dt>
          <dd>
            <Next schedule={schedule} />
          </dd>
        </div>
        <div>
          <dt>{words.schedules.last}</dt>
          <dd>
            {lastRunAt === null || lastExecutionId === null ? (
              words.schedules.never
            ) : (
              <Link to={runPath(slug, { spaceId, id: lastExecutionId })} className={styles.link}>
                {lastRun ? <RunStatus run={lastRun} /> : null} <Time at={lastRunAt} />
              </Link>
            )}
          </dd>
        </div>
      </dl>
      {may ? (
        <Menu
          align="end"
          trigger={
            <IconButton size="small" label={words.schedules.more(workflowName)}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem onSelect={start}>{words.schedules.runNow}</MenuItem>
          <MenuItem onSelect={onEdit}>{words.schedules.edit}</MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={onRemove}>
            {words.schedules.remove}
          </MenuItem>
        </Menu>
      ) : null}
    </li>
  );
}

export function SchedulesPage() {
  const { id, role } = useWorkspace();
  const { workflow, new: asksNew } = useSearch({ from: "/authed/w/$w/schedules" });
  const navigate = useNavigate({ from: "/w/$w/schedules" });
  const query = useQuery({
    ...schedulesQuery(id),
    select: all => all.filter(one => workflow === undefined || one.workflowId === workflow),
  });
  const [edited, setEdited] = useState<Schedule | "new" | undefined>(
    asksNew !== undefined && includesRole(role, "editor") ? "new" : undefined,
  );
  const close = () => {
    setEdited(undefined);
    if (asksNew !== undefined) void navigate({ search: { workflow }, replace: true, resetScroll: false });
  };
  const [removing, setRemoving] = useState<Schedule>();
  const remove = useRemoveSchedule(id);
  const make = (
    <RoleButton least="editor" tone="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setEdited("new")}>
      {words.schedules.make}
    </RoleButton>
  );
  const empty = (
    <Empty icon={<CalendarClock size={20} aria-hidden />} title={words.schedules.empty} action={make}>
      {words.schedules.emptyDetail}
    </Empty>
  );
  return (
    <Page title={words.schedules.title} lead={words.schedules.lead} actions={query.data?.length === 0 ? null : make}>
      {workflow === undefined ? null : <OfWorkflow workflow={workflow} list="schedules" />}
      <Card flush>
        <QueryList query={query} empty={empty}>
          {schedule => (
            <Row
              key={schedule.id}
              schedule={schedule}
              onEdit={() => setEdited(schedule)}
              onRemove={() => setRemoving(schedule)}
            />
          )}
        </QueryList>
      </Card>
      <ScheduleDialog
        open={edited !== undefined}
        schedule={edited === "new" ? undefined : edited}
        workflow={workflow}
        onClose={close}
      />
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={words.schedules.removeTitle}
        confirm={words.schedules.remove}
        onConfirm={() =>
          removing && remove.mutateAsync(removing, { onSuccess: () => toast.done(words.schedules.removed) })
        }
      >
        {words.schedules.removeDetail}
      </Confirm>
    </Page>
  );
}
