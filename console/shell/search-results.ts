import type { Found } from "../../sdk/definition.ts";
import { m } from "../messages/index.ts";
import { words as palette } from "../messages/en-palette.ts";
import { settings } from "../messages/en-settings.ts";

type Kind = Found["type"];

/** The headings under which the palette lists results. */
export const GROUPS: Readonly<Record<Kind, string>> = {
  workflow: m.places.workflows,
  step: palette.steps,
  run: m.places.runs,
  knowledge_base: m.places.knowledge,
  tool_server: m.places.tools,
  api: m.places.tools,
  tool: m.places.tools,
  schedule: m.places.schedules,
  webhook: m.places.webhooks,
  credential: settings.settings.tab.credentials,
  variable: settings.settings.tab.variables,
  file: m.places.files,
  member: settings.members.title,
};

/** The path of a search result in the workspace with the slug `w`. */
export function pathOfResult({ type, id, spaceId, nodeId, serverId, apiId }: Found, w: string): string {
  const at = (rest: string) => `/w/${w}/${rest}`;
  switch (type) {
    case "workflow":
      return at(`s/${spaceId}/f/${id}`);
    case "step":
      return at(`s/${spaceId}/f/${id}?n=${encodeURIComponent(nodeId ?? "")}`);
    case "run":
      return at(`s/${spaceId}/runs/${id}`);
    case "knowledge_base":
      return at(`knowledge/${id}`);
    case "tool_server":
      return at(`tools/servers/${id}`);
    case "api":
      return at(`tools/apis/${id}`);
    case "tool":
      return at(`tools/${apiId === undefined ? `servers/${serverId}` : `apis/${apiId}`}?tool=${id}`);
    case "schedule":
      return at("schedules");
    case "webhook":
      return at("webhooks");
    case "credential":
      return at("settings/credentials");
    case "variable":
      return at("settings/variables");
    case "file":
      return at(`files?open=${id}`);
    case "member":
      return at("settings/members");
  }
}
