import type { Graph } from "./definition.ts";
import { layoutGraph } from "./layout-graph.ts";

// A layout of 2,000 steps takes seconds, so it runs in a worker.
self.onmessage = ({ data }: MessageEvent<{ id: number; graph: Graph }>) => {
  self.postMessage({ id: data.id, boxes: [...layoutGraph(data.graph)] });
};
