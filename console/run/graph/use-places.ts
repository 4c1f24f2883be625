import { useEffect, useMemo, useState } from "react";
import { workerUrl } from "../../data/worker-url.ts";
import type { Graph } from "./definition.ts";
import { storedPlaces } from "./stored-places.ts";
import type { Box } from "./sizes.ts";
import placeWorker from "./layout-graph.worker.ts?worker&url";

let worker: Worker | undefined;
let requests = 0;
const waiting = new Map<number, (boxes: Map<string, Box>) => void>();

/** Places every step of a graph, in a worker. */
export function layoutInWorker(graph: Graph): Promise<Map<string, Box>> {
  worker ??= new Worker(workerUrl(placeWorker), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<{ id: number; boxes: [string, Box][] }>) => {
    waiting.get(data.id)?.(new Map(data.boxes));
    waiting.delete(data.id);
  };
  const id = requests++;
  return new Promise(resolve => {
    waiting.set(id, resolve);
    worker!.postMessage({ id, graph });
  });
}

/** The places of a graph's steps: those of the definition, or else of a layout. Undefined until the layout is ready. */
export function usePlaces(graph: Graph): ReadonlyMap<string, Box> | undefined {
  const kept = useMemo(() => storedPlaces(graph), [graph]);
  const [placed, setPlaced] = useState<{ graph: Graph; boxes: Map<string, Box> }>();
  useEffect(() => {
    if (kept) return;
    let current = true;
    void layoutInWorker(graph).then(boxes => current && setPlaced({ graph, boxes }));
    return () => {
      current = false;
    };
  }, [graph, kept]);
  return kept ?? placed?.boxes;
}
