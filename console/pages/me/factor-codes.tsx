import { account } from "../../messages/en-account.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { copy } from "../../ui/copy.ts";
import { save } from "../../ui/save.ts";
import { toast } from "../../ui/toast.tsx";
import styles from "./factors.module.css";

/** New recovery codes, which are shown only once. */
export function FactorCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join("\n");
  return (
    <div className={styles.step}>
      <p>{account.factors.codesLead}</p>
      <ul className={styles.codes} aria-label={account.factors.codes}>
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.acts}>
        <Button onClick={() => void copy(text).then(done => done && toast.done(m.copied))}>
          {account.factors.copyCodes}
        </Button>
        <Button onClick={() => save(`${text}\n`, "weft-recovery-codes.txt", "text/plain")}>
          {account.factors.saveCodes}
        </Button>
      </div>
    </div>
  );
}
