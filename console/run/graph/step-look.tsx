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

/** Categories are told by icon, shape and the thread at the left, never by a fill or the colour of a state. */
export type Category = "start" | "end" | "flow" | "data" | "people" | "outside" | "knowledge";

interface Look {
  category: Category;
  icon: LucideIcon;
  title: string;
}

const LOOKS: Readonly<Record<string, Look>> = {
  trigger: { category: "start", icon: Play, title: "Trigger" },
  respond: { category: "end", icon: Reply, title: "Respond" },
  fail: { category: "end", icon: OctagonX, title: "Fail" },
  condition: { category: "flow", icon: GitFork, title: "Condition" },
  switch: { category: "flow", icon: GitFork, title: "Switch" },
  merge: { category: "flow", icon: GitMerge, title: "Merge" },
  map: { category: "flow", icon: Repeat, title: "Map" },
  loop: { category: "flow", icon: RotateCw, title: "Loop" },
  round: { category: "flow", icon: Layers, title: "Round" },
  item: { category: "flow", icon: Layers, title: "Item" },
  wait: { category: "flow", icon: RadioReceiver, title: "Wait for a signal" },
  delay: { category: "flow", icon: Clock, title: "Delay" },
  transform: { category: "data", icon: Braces, title: "Transform" },
  code: { category: "data", icon: Code, title: "Code" },
  spreadsheet: { category: "data", icon: FileSpreadsheet, title: "Spreadsheet" },
  human: { category: "people", icon: UserCheck, title: "Ask a person" },
  notify: { category: "people", icon: Bell, title: "Notify" },
  http: { category: "outside", icon: Globe, title: "HTTP request" },
  api: { category: "outside", icon: Plug, title: "API operation" },
  email: { category: "outside", icon: Mail, title: "E-mail" },
  sql: { category: "outside", icon: Database, title: "SQL query" },
  s3: { category: "outside", icon: Archive, title: "Object storage" },
  tool: { category: "outside", icon: Wrench, title: "Tool" },
  subworkflow: { category: "outside", icon: Workflow, title: "Subworkflow" },
  llm: { category: "knowledge", icon: Sparkles, title: "Language model" },
  agent: { category: "knowledge", icon: Bot, title: "Agent" },
  retriever: { category: "knowledge", icon: BookOpen, title: "Search knowledge" },
  memory: { category: "knowledge", icon: BrainCircuit, title: "Memory" },
};

/** How a step of a type looks. A type that this page does not know looks like any data step. */
export const lookOf = (type: string | null): Look =>
  LOOKS[type ?? ""] ?? { category: "data", icon: Box, title: type ?? "Removed step" };

export function StepIcon({ type, size = 16 }: { type: string | null; size?: number }) {
  const { icon: Icon } = lookOf(type);
  return <Icon size={size} strokeWidth={1.75} aria-hidden />;
}
