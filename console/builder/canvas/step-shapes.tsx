import { useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { type DocumentState, sourceOf, targetOf } from "../document/index.ts";
import type { Box } from "./geometry.ts";
import styles from "./canvas.module.css";

const RADIUS = 6;

interface StepShapesProps {
  state: DocumentState;
  boxes: ReadonlyMap<string, Box>;
}

interface View {
  x: number;
  y: number;
  zoom: number;
  width: number;
  height: number;
}

/** Whether a stretch of the graph is visible on the canvas. */
const isNear = (from: number, to: number, shift: number, zoom: number, room: number) =>
  to * zoom + shift > 0 && from * zoom + shift < room;

const isInSight = ({ x, y, width, height }: Box, view: View) =>
  isNear(x, x + width, view.x, view.zoom, view.width) && isNear(y, y + height, view.y, view.zoom, view.height);

function drawEdges(on: CanvasRenderingContext2D, { state, boxes }: StepShapesProps, view: View): void {
  on.beginPath();
  for (const edge of state.edges.values()) {
    const [from, to] = [boxes.get(sourceOf(edge)), boxes.get(targetOf(edge))];
    if (!from || !to) continue;
    const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2];
    const around = { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
    if (!isInSight(around, view)) continue;
    const bend = Math.abs(x2 - x1) / 2;
    on.moveTo(x1, y1);
    on.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
  }
  on.stroke();
}

function draw(canvas: HTMLCanvasElement, given: StepShapesProps, view: View): void {
  const on = canvas.getContext("2d");
  if (!on) return;
  const { x, y, zoom, width, height } = view;
  const ratio = devicePixelRatio;
  // Setting the size also clears the canvas.
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  on.setTransform(zoom * ratio, 0, 0, zoom * ratio, x * ratio, y * ratio);
  const tokens = getComputedStyle(canvas);
  on.lineWidth = 1.5;
  on.strokeStyle = tokens.getPropertyValue("--edge");
  drawEdges(on, given, view);
  on.lineWidth = 1;
  on.strokeStyle = tokens.getPropertyValue("--line");
  on.fillStyle = tokens.getPropertyValue("--card");
  on.beginPath();
  for (const box of given.boxes.values()) {
    if (isInSight(box, view)) on.roundRect(box.x, box.y, box.width, box.height, RADIUS);
  }
  on.fill();
  on.stroke();
}

/**
 * Draws all steps and edges as plain shapes behind the graph. In a very large graph React Flow draws only the visible
 * part, so steps that scroll into view appear at once as shapes.
 */
export function StepShapes({ state, boxes }: StepShapesProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [x, y, zoom] = useStore(({ transform }) => transform);
  const width = useStore(flow => flow.width);
  const height = useStore(flow => flow.height);
  useEffect(() => {
    if (canvas.current) draw(canvas.current, { state, boxes }, { x, y, zoom, width, height });
  }, [state, boxes, x, y, zoom, width, height]);
  return <canvas ref={canvas} className={styles.far} aria-hidden />;
}
