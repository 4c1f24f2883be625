import { lazy } from "react";

// Dialogs and panels are loaded when they are first opened.
export const loadInspector = () => import("./inspector/inspector.tsx");
export const Inspector = lazy(async () => ({ default: (await loadInspector()).Inspector }));
export const ManySteps = lazy(async () => ({ default: (await import("./inspector/many-steps.tsx")).ManySteps }));
export const FindBar = lazy(async () => ({ default: (await import("./find/find-bar.tsx")).FindBar }));
export const Problems = lazy(async () => ({ default: (await import("./problems.tsx")).Problems }));
export const Outline = lazy(async () => ({ default: (await import("./outline.tsx")).Outline }));
export const RunStrip = lazy(async () => ({ default: (await import("./run-strip.tsx")).RunStrip }));
export const TrialStrip = lazy(async () => ({ default: (await import("./run-strip.tsx")).TrialStrip }));
export const DeployedWarnings = lazy(async () => ({
  default: (await import("./deployed-warnings.tsx")).DeployedWarnings,
}));
