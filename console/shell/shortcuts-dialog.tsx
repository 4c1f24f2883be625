import { useEffect, useState } from "react";
import { m } from "../messages/index.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/kbd.tsx";
import styles from "./help.module.css";
import { NAVIGATION } from "./navigation.ts";
import { type KeyList, readKeyLists } from "./shortcuts.ts";

const ROWS: readonly (readonly [string, string])[] = [
  ["mod k", m.shortcut.palette],
  ["/", m.shortcut.filter],
  ["j", m.shortcut.next],
  ["k", m.shortcut.previous],
  ["x", m.shortcut.mark],
  ["enter", m.shortcut.open],
  ["?", m.shell.docsOfPage],
  ["mod /", m.shortcut.help],
];

function KeyRows({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className={styles.keys}>
      {rows.map(([keys, text]) => (
        <div key={`${keys} ${text}`}>
          <dt>{text}</dt>
          <dd>
            <Keys keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Lists all keys. Those of the current page come first. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [lists, setLists] = useState<readonly KeyList[]>();
  useEffect(() => void readKeyLists().then(setLists), []);
  if (!lists) return null;
  const places = NAVIGATION.map(({ title, key }) => [`g ${key}`, title] as const);
  return (
    <Dialog open wide onClose={onClose} title={m.shell.shortcuts} description={m.shortcut.off}>
      {lists.map(({ title, rows }) => (
        <section key={title}>
          <h3 className={styles.section}>{title}</h3>
          <KeyRows rows={rows} />
        </section>
      ))}
      {lists.length > 0 ? <h3 className={styles.section}>{m.shortcut.everywhere}</h3> : null}
      <KeyRows rows={[...ROWS, ...places]} />
    </Dialog>
  );
}
