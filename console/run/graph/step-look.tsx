import {
  Archive,
  Bell,
  Bot,
  BookOpen,
  Braces,
  BrainCircuit,
  Box,
  Clock,
  Code,
  Database,
  FileSpreadsheet,
  GitFork,
  GitMerge,
  Globe,
  Layers,
  type LucideIcon,
  Mail,
  OctagonX,
  Play,
  Plug,
  RadioReceiver,
  Repeat,
  Reply,
  RotateCw,
  Sparkles,
  UserCheck,
  Workflow,
  Wrench,
} from "lucide-react";
import { Suspense } from "react";
import { removed, types } from "../../messages/en-steps.ts";
import { lazy } from "../../ui/lazy.tsx";

/** Categories are shown by icon, shape and the line at the left. Fills and state colours are kept for states. */
export type Category = "start" | "end" | "flow" | "data" | "people" | "outside" | "knowledge";

interface Look {
  category: Category;
  icon: LucideIcon;
}

const LOOKS = {
  trigger: { category: "start", icon: Play },
  respond: { category: "end", icon: Reply },
  fail: { category: "end", icon: OctagonX },
  condition: { category: "flow", icon: GitFork },
  switch: { category: "flow", icon: GitFork },
  merge: { category: "flow", icon: GitMerge },
  map: { category: "flow", icon: Repeat },
  loop: { category: "flow", icon: RotateCw },
  round: { category: "flow", icon: Layers },
  item: { category: "flow", icon: Layers },
  wait: { category: "flow", icon: RadioReceiver },
  delay: { category: "flow", icon: Clock },
  transform: { category: "data", icon: Braces },
  code: { category: "data", icon: Code },
  spreadsheet: { category: "data", icon: FileSpreadsheet },
  human: { category: "people", icon: UserCheck },
  notify: { category: "people", icon: Bell },
  http: { category: "outside", icon: Globe },
  api: { category: "outside", icon: Plug },
  email: { category: "outside", icon: Mail },
  sql: { category: "outside", icon: Database },
  s3: { category: "outside", icon: Archive },
  tool: { category: "outside", icon: Wrench },
  subworkflow: { category: "outside", icon: Workflow },
  llm: { category: "knowledge", icon: Sparkles },
  agent: { category: "knowledge", icon: Bot },
  retriever: { category: "knowledge", icon: BookOpen },
  memory: { category: "knowledge", icon: BrainCircuit },
} as const satisfies Readonly<Record<keyof typeof types, Look>>;

const isKnown = (type: string): type is keyof typeof types => Object.hasOwn(types, type);

/** The look of a step type. An unknown type looks like a data step. */
export const lookOf = (type: string | null): Look & { title: string } =>
  type !== null && isKnown(type)
    ? { ...LOOKS[type], title: types[type] }
    : { category: "data", icon: Box, title: type ?? removed };

// The catalogue is read only where a step needs it, since runs are shown without it.
const CatalogueIcon = lazy(() => import("./catalogue-icon.tsx"), "CatalogueIcon");

/** The icon of a type of steps: the own one of this page, or else the one that the service names. */
export function StepIcon({ type, size = 16 }: { type: string | null; size?: number }) {
  const { icon: Icon } = lookOf(type);
  const own = <Icon size={size} strokeWidth={1.75} aria-hidden />;
  if (type === null || isKnown(type)) return own;
  return (
    <Suspense fallback={own}>
      <CatalogueIcon type={type} size={size} />
    </Suspense>
  );
}
