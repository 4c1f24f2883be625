import {
  ArrowLeft,
  Bell,
  BookOpen,
  Bot,
  BrainCircuit,
  CalendarClock,
  CirclePlay,
  House,
  MessageCircleQuestion,
  Paperclip,
  ServerCog,
  Settings,
  UserRound,
  Webhook,
  Workflow,
  Wrench,
} from "lucide-react";
import type { ComponentType } from "react";
import type { Workspace } from "../../sdk/definition.ts";
import { m } from "../messages/index.ts";

/** A place in the navigation. */
export interface Place {
  id: string;
  to:
    | "/w/$w"
    | "/w/$w/workflows"
    | "/w/$w/runs"
    | "/w/$w/approvals"
    | "/w/$w/schedules"
    | "/w/$w/webhooks"
    | "/w/$w/knowledge"
    | "/w/$w/tools"
    | "/w/$w/memory"
    | "/w/$w/playground"
    | "/w/$w/files"
    | "/w/$w/settings/$tab"
    | "/operator/$tab"
    | "/me/notifications"
    | "/me";
  /** Further path parameters. */
  params?: Record<string, string>;
  /** Whether narrow screens leave it out of their bottom bar. */
  wide?: boolean;
  title: string;
  /** The name for screen readers, if the title needs the icon to be understood. */
  label?: string;
  icon: ComponentType<{ size?: number; strokeWidth?: number; "aria-hidden"?: boolean }>;
}

/** A place in a workspace. */
export interface NavigationEntry extends Place {
  /** The second key of its shortcut, after `g`. */
  key: string;
}

/** The places of a workspace, in the order of the navigation. A new page adds its entry here. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { id: "home", to: "/w/$w", title: m.places.home, key: "h", icon: House },
  { id: "workflows", to: "/w/$w/workflows", title: m.places.workflows, key: "w", icon: Workflow },
  { id: "runs", to: "/w/$w/runs", title: m.places.runs, key: "r", icon: CirclePlay },
  { id: "approvals", to: "/w/$w/approvals", title: m.places.approvals, key: "a", icon: MessageCircleQuestion },
  { id: "schedules", to: "/w/$w/schedules", wide: true, title: m.places.schedules, key: "c", icon: CalendarClock },
  { id: "webhooks", to: "/w/$w/webhooks", wide: true, title: m.places.webhooks, key: "b", icon: Webhook },
  { id: "knowledge", to: "/w/$w/knowledge", wide: true, title: m.places.knowledge, key: "k", icon: BookOpen },
  { id: "tools", to: "/w/$w/tools", wide: true, title: m.places.tools, key: "t", icon: Wrench },
  { id: "memory", to: "/w/$w/memory", wide: true, title: m.places.memory, key: "m", icon: BrainCircuit },
  { id: "playground", to: "/w/$w/playground", wide: true, title: m.places.playground, key: "p", icon: Bot },
  { id: "files", to: "/w/$w/files", wide: true, title: m.places.files, key: "f", icon: Paperclip },
  {
    id: "settings",
    to: "/w/$w/settings/$tab",
    params: { tab: "general" },
    wide: true,
    title: m.places.settings,
    key: "s",
    icon: Settings,
  },
];

/** The places of a person outside of workspaces. Only operators see their own. */
export const PERSONAL: readonly Place[] = [
  { id: "operator", to: "/operator/$tab", params: { tab: "status" }, title: m.places.operator, icon: ServerCog },
  { id: "notifications", to: "/me/notifications", title: m.places.notifications, icon: Bell },
  { id: "me", to: "/me", title: m.places.me, icon: UserRound },
];

/** The place outside of a workspace that leads into it. */
export const wayBack = ({ slug, name }: Pick<Workspace, "slug" | "name">): Place => ({
  id: "back",
  to: "/w/$w",
  params: { w: slug },
  title: name,
  label: m.shell.backTo(name),
  icon: ArrowLeft,
});
