import type { PresentUser } from "../data/presence.ts";
import { words } from "../messages/en-builder.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { type BuilderDocument, nameOf } from "./document/index.ts";
import styles from "./presence.module.css";

/** Further people are shown as a number. */
const MAX = 4;

interface PresenceProps {
  present: readonly PresentUser[];
  doc: BuilderDocument;
}

/** Shows who else has the workflow open, by initials. The tooltip gives the name and the step. */
export function Presence({ present, doc }: PresenceProps) {
  if (present.length === 0) return null;
  const state = doc.getState();
  const stepName = (id: string) => (state.nodes.has(id) ? nameOf(state, id) : undefined);
  const textOf = ({ name, userId, editing, nodeId }: PresentUser) =>
    words.present(name ?? userId, editing, nodeId === null ? undefined : stepName(nodeId));
  const shown = present.slice(0, MAX);
  const rest = present.slice(MAX);
  return (
    <ul className={styles.people} aria-label={words.alsoHere}>
      {shown.map(one => (
        <li key={one.userId}>
          <Tooltip text={textOf(one)}>
            <button type="button" className={styles.person} data-editing={one.editing || undefined}>
              <Avatar name={one.name ?? one.userId} size={24} coloured />
              <span className="visually-hidden">{textOf(one)}</span>
            </button>
          </Tooltip>
        </li>
      ))}
      {rest.length > 0 ? (
        <li>
          <Tooltip text={rest.map(textOf).join(", ")}>
            <button type="button" className={styles.more}>
              <span aria-hidden>{`+${rest.length}`}</span>
              <span className="visually-hidden">{rest.map(textOf).join(", ")}</span>
            </button>
          </Tooltip>
        </li>
      ) : null}
    </ul>
  );
}
