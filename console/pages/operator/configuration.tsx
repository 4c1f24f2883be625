import { useState } from "react";
import type { OperatorStatus } from "../../data/operator.ts";
import { operator as words } from "../../messages/en-operator.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import styles from "./operator.module.css";

type Setting = NonNullable<OperatorStatus["configuration"]>["settings"][number];

function Value({ value, state, masked }: Setting) {
  if (state === "none") return <span className={styles.quiet}>{words.setting.none}</span>;
  if (masked) return <span className={styles.quiet}>{words.setting.masked}</span>;
  return <code>{value}</code>;
}

/** The configuration of a node: values that differ from the defaults, and all values on demand. */
export function Configuration({ configuration }: Pick<OperatorStatus, "configuration">) {
  const [all, setAll] = useState(false);
  if (!configuration) return null;
  const { node, settings } = configuration;
  const shown = all ? settings : settings.filter(({ state }) => state === "set");
  return (
    <Card
      flush
      title={words.configuration}
      lead={words.configurationLead(node)}
      aside={
        <Button onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? words.setting.fewer : words.setting.all(settings.length)}
        </Button>
      }
    >
      <dl className={styles.settings}>
        {shown.map(setting => (
          <div key={setting.name}>
            <dt>
              <code>{setting.name}</code>
            </dt>
            <dd>
              <Value {...setting} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.foot}>
        <a href="/docs/configuration">{words.setting.docs}</a>
      </p>
    </Card>
  );
}
