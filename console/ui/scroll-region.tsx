import type { ReactNode } from "react";

interface ScrollRegionProps {
  as?: "div" | "pre" | "section" | "ul";
  /** What is in it. */
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** What scrolls by itself. Keys scroll only what has the focus, so it is a tab stop with a name. */
export function ScrollRegion({ as: Tag = "div", label, className, children }: ScrollRegionProps) {
  // A list and a section have roles of their own, which a name may belong to.
  const role = Tag === "div" || Tag === "pre" ? "group" : undefined;
  return (
    <Tag className={className} role={role} tabIndex={0} aria-label={label}>
      {children}
    </Tag>
  );
}
