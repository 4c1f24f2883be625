import { useLayoutEffect, useMemo, useRef, useState } from "react";
import looks from "../../run/graph/nodes.module.css";
import { lookOf } from "../../run/graph/step-look.tsx";
import { cx } from "../../ui/cx.ts";
import { useAppearance } from "../../ui/use-appearance.ts";
import type { StepData, StepNode } from "./drawn.ts";
import { iconNameOf, TypeIcon } from "./icons.tsx";

type Typed = Pick<StepData, "info" | "type">;

export const categoryOf = ({ info, type }: Typed) => info?.category ?? lookOf(type).category;

/** Steps of the same kind have the same icon in the same colour. */
const kindOf = (data: Typed) => `${iconNameOf(data.info, data.type)} ${categoryOf(data)}`;

/**
 * The icon of a step on the canvas, as an image that `IconImages` makes. An `svg` in each of hundreds of steps would
 * make each paint slower, because the browser sorts all of them into layers.
 */
export const IconImage = ({ data }: { data: Typed }) => (
  <span className={looks.icon} data-kind={kindOf(data)} aria-hidden />
);

function ruleOf(made: HTMLElement): string {
  const { color } = getComputedStyle(made);
  const drawing = made.innerHTML.replaceAll("currentColor", color);
  const image = `url("data:image/svg+xml,${encodeURIComponent(drawing)}")`;
  return `[data-kind="${CSS.escape(made.dataset.press!)}"] { background-image: ${image}; }`;
}

/** Renders each kind of icon once, and turns it into an image in the current colours. */
export function IconImages({ nodes }: { nodes: readonly StepNode[] }) {
  const press = useRef<HTMLDivElement>(null);
  const [sheet] = useState(() => new CSSStyleSheet());
  const appearance = useAppearance();
  const kinds = useMemo(
    () => new Map(nodes.flatMap(({ type, data }) => (type === "note" ? [] : [[kindOf(data), data] as const]))),
    [nodes],
  );
  const names = [...kinds.keys()].join();
  useLayoutEffect(() => {
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter(other => other !== sheet);
    };
  }, [sheet]);
  useLayoutEffect(() => {
    const made = press.current?.querySelectorAll<HTMLElement>("[data-press]") ?? [];
    sheet.replaceSync(Array.from(made, ruleOf).join("\n"));
  }, [sheet, names, appearance]);
  return (
    <div ref={press} hidden>
      {[...kinds].map(([kind, data]) => (
        <div key={kind} className={cx(looks.step, looks[categoryOf(data)])}>
          <span className={looks.icon} data-press={kind}>
            <TypeIcon info={data.info} type={data.type} />
          </span>
        </div>
      ))}
    </div>
  );
}
