import type { ReactNode } from "react";

interface ScrollRegionProps {
  as?: "div" | "pre" | "section" | "ul";
  /** The name of the region, for screen readers. */
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** An element that scrolls on its own. Keys scroll only a focused element, so it is a tab stop with a name. */
export function ScrollRegion({ as: Tag = "div", label, className, children }: ScrollRegionProps) {
  // Lists and sections have roles of their own that can have a name.
  const role = Tag === "div" || Tag === "pre" ? "group" : undefined;
  return (
    <Tag className={className} role={role} tabIndex={0} aria-label={label}>
      {children}
    </Tag>
  );
}
