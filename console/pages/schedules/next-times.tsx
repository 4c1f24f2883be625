import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { problemOf } from "../../data/problem.ts";
import { previewQuery } from "../../data/triggers.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { ownZone, zoneFormat } from "../../messages/zone-time.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import styles from "./schedules.module.css";

const UTC = "UTC";

/** The next turns: in the time zone of the schedule, in UTC, and in that of the reader where it is another one. */
export function NextTimes(given: { cronExpr: string; timezone: string }) {
  const { id } = useWorkspace();
  const [cronExpr, timezone] = [useDeferredValue(given.cronExpr), useDeferredValue(given.timezone)];
  const { data, error } = useQuery(previewQuery(id, cronExpr, timezone));
  if (error) return <p className={styles.bad}>{problemOf(error).detail || problemOf(error).title}</p>;
  if (!data) return <div className={styles.times} />;
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
          {data.map(time => (
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
