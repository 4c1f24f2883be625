import type { Graph } from "./definition.ts";
import { place } from "./place.ts";

// A layout of 2,000 steps takes seconds, so it runs in a worker.
self.onmessage = ({ data }: MessageEvent<{ id: number; graph: Graph }>) => {
  self.postMessage({ id: data.id, boxes: [...place(data.graph)] });
};
