import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { faultAt, problemOf } from "../../data/problem.ts";
import { previewQuery } from "../../data/triggers.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { ownZone, zoneFormat } from "../../messages/zone-time.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import styles from "./schedules.module.css";

const UTC = "UTC";

/** The next times of an expression, or what is wrong with it, from the service. */
export function useNextTimes(cronExpr: string, timezone: string) {
  const { id } = useWorkspace();
  const { data, error } = useQuery(previewQuery(id, useDeferredValue(cronExpr), useDeferredValue(timezone)));
  const faults = { cron: faultAt(error, "/cronExpr"), zone: faultAt(error, "/timezone") };
  const problem = error ? problemOf(error) : undefined;
  return { next: error ? undefined : data, faults, problem: problem && (problem.detail || problem.title) };
}

interface NextTimesProps {
  next: { times: readonly string[]; timezone: string } | undefined;
  /** Why there are no times, if no field shows it. */
  problem: string | undefined;
}

/** The next times in the time zone of the schedule, in UTC, and in the user's time zone if it differs. */
export function NextTimes({ next, problem }: NextTimesProps) {
  if (problem) return <p className={styles.bad}>{problem}</p>;
  if (!next) return <div className={styles.times} />;
  const { times, timezone } = next;
  const zones = [...new Set([timezone, UTC, ownZone])].flatMap(zone => {
    const format = zoneFormat(zone);
    return format ? [{ zone, format }] : [];
  });
  const nameOf = (zone: string) =>
    zone === UTC ? words.schedules.utc : zone === timezone ? zone : words.schedules.yourTime;
  return (
    <div className={styles.times}>
      <table>
        <thead>
          <tr>
            {zones.map(({ zone }) => (
              <th key={zone} scope="col">
                {nameOf(zone)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map(time => (
            <tr key={time}>
              {zones.map(({ zone, format }) => (
                <td key={zone}>
                  <time dateTime={time}>{format(time)}</time>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
