import { Ban, CircleCheck, Ellipsis, KeyRound, LogOut, ShieldOff, Trash2 } from "lucide-react";
import type { OperatedUser } from "../../data/operator.ts";
import { useMe } from "../../data/session.ts";
import { operator as words } from "../../messages/en-operator.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Email } from "../../ui/email.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { Time } from "../../ui/time.tsx";
import rows from "../../ui/rows.module.css";
import styles from "./operator.module.css";

export type UserAct = "reset" | "endSessions" | "removeFactors" | "disable" | "enable" | "remove";

const icon = { size: 16, "aria-hidden": true } as const;

/** An account with its actions. Operators cannot disable or delete their own account. */
export function UserRow({ user, onAct }: { user: OperatedUser; onAct: (act: UserAct) => void }) {
  const me = useMe();
  const { id, name, email, disabledAt, operator, createdAt } = user;
  const own = id === me.id;
  return (
    <li className={rows.row} data-off={disabledAt === null ? undefined : ""}>
      <Avatar name={name ?? email} size={28} />
      <div className={rows.text}>
        <span className={rows.name}>
          {name ?? <Email address={email} />} {own ? <span className={styles.quiet}>({words.you})</span> : null}
        </span>
        <span className={rows.detail}>
          {name === null ? null : (
            <>
              <Email address={email} /> ·{" "}
            </>
          )}
          <Time at={createdAt} />
        </span>
      </div>
      {operator ? <span className={styles.tag}>{words.isOperator}</span> : null}
      {disabledAt === null ? null : (
        <span className={styles.tag} data-bad>
          {words.disabled}
        </span>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton size="small" label={words.actsOf(email)}>
            <Ellipsis {...icon} />
          </IconButton>
        }
      >
        <MenuItem icon={<KeyRound {...icon} />} onSelect={() => onAct("reset")}>
          {words.reset}
        </MenuItem>
        <MenuItem icon={<LogOut {...icon} />} onSelect={() => onAct("endSessions")}>
          {words.endSessions}
        </MenuItem>
        <MenuItem icon={<ShieldOff {...icon} />} onSelect={() => onAct("removeFactors")}>
          {words.removeFactors}
        </MenuItem>
        {own ? null : (
          <>
            <MenuSeparator />
            {disabledAt === null ? (
              <MenuItem icon={<Ban {...icon} />} onSelect={() => onAct("disable")}>
                {words.disable}
              </MenuItem>
            ) : (
              <MenuItem icon={<CircleCheck {...icon} />} onSelect={() => onAct("enable")}>
                {words.enable}
              </MenuItem>
            )}
            <MenuItem danger icon={<Trash2 {...icon} />} onSelect={() => onAct("remove")}>
              {words.remove}
            </MenuItem>
          </>
        )}
      </Menu>
    </li>
  );
}
