import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { installationQuery } from "../data/workspaces.ts";
import { waits as words } from "../messages/en-waits.ts";
import { fullTime } from "../messages/time.ts";
import { Notice } from "../ui/states.tsx";

const DAY_MS = 86_400_000;

/** The creation time in an id of version 7. Undefined for other ids. */
function createdAt(id: string): number | undefined {
  const hex = id.replaceAll("-", "");
  return /^[0-9a-f]{12}7[0-9a-f]{19}$/.test(hex) ? Number.parseInt(hex.slice(0, 12), 16) : undefined;
}

const timeOf = (ms: number) => fullTime(new Date(ms).toISOString());

/** Says that a run is missing, and whether it may have been deleted when its retention period ended. */
export default function MissingRun({ id }: { id: string }) {
  const { data } = useQuery(installationQuery);
  const [now] = useState(() => Date.now());
  const [days = 0, began] = [data?.executionRetentionDays, createdAt(id)];
  if (days === 0 || began === undefined || now - began < days * DAY_MS) return null;
  return (
    <Notice>
      {words.removed(days)} {words.startedOn(timeOf(began), timeOf(began + days * DAY_MS))}
    </Notice>
  );
}
