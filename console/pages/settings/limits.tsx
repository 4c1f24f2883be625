import { useQuery } from "@tanstack/react-query";
import type { LimitUsed } from "../../../sdk/definition.ts";
import { limitsQuery } from "../../data/settings.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { m } from "../../messages/index.ts";
import { Listed } from "../../shell/listed.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Card } from "../../ui/page.tsx";
import styles from "./limits.module.css";

/** The service counts no further. */
const MAX_COUNTED = 100_000;
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

function bytesText(bytes: number): string {
  const unit = bytes === 0 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${m.number(Math.round((bytes / 1_024 ** unit) * 10) / 10)} ${UNITS[unit]}`;
}

function usedText({ name, used, limit }: LimitUsed): string {
  if (used === null) return words.limits.unknown;
  const text = name === "file_bytes" ? bytesText : m.number;
  const isCut = name !== "file_bytes" && used >= MAX_COUNTED && used < limit;
  return words.limits.of(isCut ? words.limits.atLeast(text(used)) : text(used), text(limit));
}

function Row(one: LimitUsed) {
  const share = one.used === null || one.limit === 0 ? 0 : Math.min(one.used / one.limit, 1);
  return (
    <li key={one.name} className={styles.row} data-near={share >= 0.9 || undefined}>
      <span title={one.what}>{words.limits.names[one.name] ?? one.what}</span>
      <span className={styles.used}>{usedText(one)}</span>
      <span className={styles.bar} aria-hidden>
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
    </li>
  );
}

/** What the workspace uses of its limits. */
export function LimitsCard() {
  const { id } = useWorkspace();
  const query = useQuery(limitsQuery(id));
  return (
    <Card title={words.limits.title} lead={words.limits.lead} flush>
      <Listed query={query} empty={null} small rows={6}>
        {one => Row(one)}
      </Listed>
    </Card>
  );
}
