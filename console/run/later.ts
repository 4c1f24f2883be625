import { lazy } from "react";

// What a look at a run does not need at once. The canvas is large, and phones and other views do without it.
export const RunGraph = lazy(() => import("./graph/run-graph.tsx"));
export const Timeline = lazy(() => import("./timeline/timeline.tsx"));
export const RunLog = lazy(() => import("./log.tsx").then(module => ({ default: module.RunLog })));
export const RunData = lazy(() => import("./run-data.tsx").then(module => ({ default: module.RunData })));
export const FindInRun = lazy(() => import("./find-in-run.tsx").then(module => ({ default: module.FindInRun })));

export const Gone = lazy(() => import("./gone.tsx"));

/** Most readers choose a step next, so it is loaded while they look. */
export const loadInspector = () => import("./inspector.tsx");
export const Inspector = lazy(() => loadInspector().then(module => ({ default: module.Inspector })));
