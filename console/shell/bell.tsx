import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell as BellIcon } from "lucide-react";
import { MAX_COUNTED, unreadQuery } from "../data/notifications.ts";
import { m } from "../messages/index.ts";
import { buttonClass } from "../ui/button.tsx";
import styles from "./bell.module.css";

/** The link to the notifications, with the number of unread ones. */
export function Bell() {
  const { data: unread = 0 } = useQuery(unreadQuery);
  return (
    <Link
      to="/me/notifications"
      aria-label={m.shell.bell(unread)}
      className={buttonClass({ tone: "quiet" }, styles.bell)}
    >
      <BellIcon size={16} aria-hidden />
      {unread > 0 ? (
        <span className={styles.count} aria-hidden>
          {unread > MAX_COUNTED ? m.shell.manyUnread : unread}
        </span>
      ) : null}
    </Link>
  );
}
