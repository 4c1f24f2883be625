import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import styles from "./button.module.css";
import { cx } from "./cx.ts";

export type ButtonTone = "primary" | "plain" | "quiet" | "danger";

export interface ButtonLook {
  tone?: ButtonTone | undefined;
  size?: "small" | "medium" | "large" | undefined;
  /** Takes the full width. */
  wide?: boolean | undefined;
}

/** The classes of a button, for links that look like buttons. */
export const buttonClass = ({ tone = "plain", size = "medium", wide }: ButtonLook, more?: string) =>
  cx(styles.button, styles[tone], styles[size], wide && styles.wide, more);

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonLook {
  icon?: ReactNode;
  /** Whether its action is running. The button stays focusable and announces it. */
  busy?: boolean | undefined;
  /** Animates the button briefly, to draw attention to it. */
  "data-pulse"?: true | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

export function Button({ tone, size, wide, icon, busy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ tone, size, wide }, className)}
      data-danger={tone === "danger" || undefined}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? event => event.preventDefault() : onClick}
    >
      {busy ? <span className={styles.busy} aria-hidden /> : icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "icon"> {
  /** What the button does, for screen readers. */
  label: string;
  /** The icon. Base UI passes it on if the button replaces another element. */
  children?: ReactNode;
}

/** A square button with only an icon. */
export function IconButton({ label, children, tone = "quiet", size, className, busy, wide, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-busy={busy || undefined}
      className={buttonClass({ tone, size, wide }, cx(styles.square, className))}
    >
      {children}
    </button>
  );
}
