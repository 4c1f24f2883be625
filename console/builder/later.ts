import { lazy } from "../ui/lazy.tsx";

// Dialogs and panels are loaded when they are first opened.
export const loadInspector = () => import("./inspector/inspector.tsx");
export const Inspector = lazy(loadInspector, "Inspector");
export const ManySteps = lazy(() => import("./inspector/many-steps.tsx"), "ManySteps");
export const FindBar = lazy(() => import("./find/find-bar.tsx"), "FindBar");
export const Problems = lazy(() => import("./problems.tsx"), "Problems");
export const Outline = lazy(() => import("./outline.tsx"), "Outline");
export const RunStrip = lazy(() => import("./run-strip.tsx"), "RunStrip");
export const TrialStrip = lazy(() => import("./run-strip.tsx"), "TrialStrip");
export const DeployedWarnings = lazy(() => import("./deployed-warnings.tsx"), "DeployedWarnings");
