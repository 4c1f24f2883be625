import { lazy } from "../ui/lazy.tsx";

// Parts of the page of a run that load later. The canvas is large, and phones and other views do not need it.
export const RunGraph = lazy(() => import("./graph/run-graph.tsx"));
export const Timeline = lazy(() => import("./timeline/timeline.tsx"));
export const RunLog = lazy(() => import("./log.tsx"), "RunLog");
export const RunData = lazy(() => import("./run-data.tsx"), "RunData");
export const FindInRun = lazy(() => import("./find-in-run.tsx"), "FindInRun");

export const MissingRun = lazy(() => import("./missing-run.tsx"));

/** Most users select a step next, so it is preloaded. */
export const loadInspector = () => import("./inspector.tsx");
export const Inspector = lazy(loadInspector, "Inspector");
