import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import styles from "./menu.module.css";

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "right" | "left";
}

export function Menu({ trigger, children, align = "start", side = "bottom" }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} align={align} side={side} sideOffset={4} collisionPadding={8}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface PointMenuProps {
  label: string;
  /** The position in the window. */
  x: number;
  y: number;
  onClose: () => void;
  children: ReactNode;
}

/** A menu at a point of the window, for context menus. */
export function PointMenu({ label, x, y, onClose, children }: PointMenuProps) {
  const anchor = { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
  return (
    <Base.Root open onOpenChange={open => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner className={styles.positioner} anchor={anchor} align="start" side="bottom" collisionPadding={8}>
          <Base.Popup className={styles.popup} aria-label={label}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  icon?: ReactNode;
  children: ReactNode;
  /** Shown at the end of the row, such as a shortcut. */
  aside?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect?: () => void;
  /** An element to render instead of the default one, such as a link. */
  render?: ReactElement;
  /** An address outside of the console. It opens in a new tab. */
  href?: string;
}

export function MenuItem({ icon, children, aside, danger, disabled, onSelect, render, href }: ItemProps) {
  const content = (
    <>
      <span className={styles.icon}>{icon}</span>
      <span className={styles.text}>{children}</span>
      {aside ? <span className={styles.aside}>{aside}</span> : null}
    </>
  );
  if (href !== undefined) {
    return (
      <Base.LinkItem className={styles.item} href={href} target="_blank" rel="noreferrer" closeOnClick>
        {content}
      </Base.LinkItem>
    );
  }
  return (
    <Base.Item
      className={styles.item}
      data-danger={danger || undefined}
      disabled={disabled ?? false}
      {...(onSelect && { onClick: onSelect })}
      {...(render && { render })}
    >
      {content}
    </Base.Item>
  );
}

/** One of several choices. The current one has a mark. */
export function MenuChoice({
  checked,
  children,
  aside,
  onSelect,
}: {
  checked: boolean;
  children: ReactNode;
  aside?: ReactNode;
  onSelect: () => void;
}) {
  return (
    <Base.CheckboxItem className={styles.item} checked={checked} onCheckedChange={onSelect} closeOnClick>
      <span className={styles.icon}>{checked ? <Check size={16} aria-hidden /> : null}</span>
      <span className={styles.text}>{children}</span>
      {aside ? <span className={styles.aside}>{aside}</span> : null}
    </Base.CheckboxItem>
  );
}

export const MenuSeparator = () => <Base.Separator className={styles.separator} />;

export function MenuGroup({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className={styles.group}>{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
}
