import { type KeyboardEvent, type PointerEvent, useState } from "react";

const KEPT = "weft:inspector-width";
const USUAL = 400;
const LEAST = 320;
const STEP = 24;

const most = () => Math.max(LEAST, window.innerWidth - 160);
const bounded = (width: number) => Math.round(Math.min(Math.max(width, LEAST), most()));

function kept(): number {
  const width = Number(localStorage.getItem(KEPT) ?? Number.NaN);
  return Number.isFinite(width) && width > 0 ? bounded(width) : USUAL;
}

/** The width of the inspector. Users change it at its edge, by pointer or arrow keys. The browser stores it. */
export function useWidth() {
  const [width, setWidth] = useState(kept);
  const set = (next: number) => {
    setWidth(bounded(next));
    localStorage.setItem(KEPT, String(bounded(next)));
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const edge = event.currentTarget;
    const [from, at] = [width, event.clientX];
    edge.setPointerCapture(event.pointerId);
    const move = ({ clientX }: globalThis.PointerEvent) => set(from + at - clientX);
    const end = () => edge.removeEventListener("pointermove", move);
    edge.addEventListener("pointermove", move);
    edge.addEventListener("pointerup", end, { once: true });
    edge.addEventListener("pointercancel", end, { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: width + STEP, ArrowRight: width - STEP, Home: LEAST, End: most() }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  };
  return { width, edge: { onPointerDown, onKeyDown, onDoubleClick: () => set(USUAL) }, least: LEAST, most: most() };
}
