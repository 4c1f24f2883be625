import type { Graph } from "./definition.ts";
import { place } from "./place.ts";

// A layout of 2,000 steps takes seconds, so it never runs on the page's own thread.
self.onmessage = ({ data }: MessageEvent<{ id: number; graph: Graph }>) => {
  self.postMessage({ id: data.id, boxes: [...place(data.graph)] });
};
