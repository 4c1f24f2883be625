import type { OperatorStatus } from "../../data/operator.ts";
import { bytesText } from "../../messages/bytes.ts";
import { operator as words } from "../../messages/en-operator.ts";
import { durationText } from "../../messages/time.ts";
import { m } from "../../messages/index.ts";
import { Card } from "../../ui/page.tsx";
import { Time, useClockText } from "../../ui/time.tsx";
import { HealthMark } from "./health-mark.tsx";
import styles from "./operator.module.css";

type WatchedNumber = NonNullable<OperatorStatus["watched"]>[number];

function amountText(value: number, unit: WatchedNumber["unit"]): string {
  if (unit === "share") return m.percent(value);
  if (unit === "runs") return m.number(value);
  return value < 1 ? words.watch.noTime : durationText(value * 1_000);
}

function stateOf({ value, above }: WatchedNumber) {
  if (value === null) return <HealthMark state="unknown" />;
  return value > above ? (
    <HealthMark state="down" word={words.watch.over} />
  ) : (
    <HealthMark state="ok" word={words.watch.fine} />
  );
}

/** The numbers that alerts watch, each with its meaning, its limit, and what to do about it. */
export function Watched({ watched, readAt }: { watched: readonly WatchedNumber[]; readAt: number }) {
  const age = useClockText(now => words.watch.age(Math.max(0, Math.round((now - readAt) / 1_000))));
  return (
    <Card flush title={words.watch.title} lead={`${words.watch.lead} ${age}`}>
      <ul>
        {watched.map(number => {
          const { alarm, value, above, unit } = number;
          const [label, detail] = words.watch.alarms[alarm] ?? [alarm, ""];
          return (
            <li key={alarm} className={styles.watched}>
              <div>
                <span className={styles.label}>{label}</span>
                <span className={styles.detail}>
                  {detail} {words.watch.above(amountText(above, unit))}{" "}
                  <a href={`/docs/alerts#${alarm.toLowerCase()}`} aria-label={words.watch.helpWith(label)}>
                    {words.watch.help}
                  </a>
                </span>
              </div>
              <span className={styles.value}>{value === null ? "–" : amountText(value, unit)}</span>
              {stateOf(number)}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

const sizeText = (bytes: number | null) => (bytes === null ? words.storage.unknown : bytesText(bytes));

/** How much space the data takes, and the age of the last backup. */
export function Storage({ storage }: { storage: NonNullable<OperatorStatus["storage"]> }) {
  const { store, used, free, files, backupAt } = storage;
  return (
    <Card flush title={words.storage.title} lead={words.storage.lead[store]}>
      <dl className={styles.facts}>
        <div>
          <dt>{words.storage.store}</dt>
          <dd>{sizeText(used)}</dd>
        </div>
        {free === null ? null : (
          <div>
            <dt>{words.storage.free}</dt>
            <dd>{bytesText(free)}</dd>
          </div>
        )}
        <div>
          <dt>{words.storage.files}</dt>
          <dd>{sizeText(files)}</dd>
        </div>
        <div>
          <dt>{words.storage.backup}</dt>
          <dd>
            {store === "mongodb" ? words.storage.elsewhere : backupAt ? <Time at={backupAt} /> : words.storage.never}{" "}
            <a className={styles.link} href="/docs/operations#backup">
              {words.storage.help}
            </a>
          </dd>
        </div>
      </dl>
    </Card>
  );
}
