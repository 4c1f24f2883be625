import { existsSync, globSync } from "node:fs";
import { COMMANDS } from "../../cli/commands.ts";
import { LIMITS, OIDC_SETTINGS, readEnvironment, VARIABLES } from "../../config.ts";
import {
  CREDENTIAL_TYPE_NAMES,
  CREDENTIAL_TYPES,
  credentialFields,
  type CredentialTypeName,
} from "../../contracts/credentials/types.ts";
import { ARCHIVE_LEAVES_OUT, archiveRecord } from "../../contracts/entities/archive.ts";
import { ACCOUNT_EVENTS } from "../../contracts/entities/account-event.ts";
import { CREDENTIAL_STATUSES } from "../../contracts/entities/credential.ts";
import { EXECUTION_STATUSES, LOG_EVENTS } from "../../contracts/entities/execution.ts";
import { QUOTAS } from "../../contracts/entities/quota.ts";
import { STEP_STATUSES } from "../../contracts/entities/execution-step.ts";
import { NOTIFICATION_TYPES } from "../../contracts/entities/notification.ts";
import type { Template } from "../../contracts/entities/template.ts";
import {
  DEFAULT_TOLERANCE_SECONDS,
  HMAC_PRESETS,
  type SignatureScheme,
  webhookAuth,
} from "../../contracts/entities/webhook-auth.ts";
import { remedies } from "../../console/messages/en-remedies.ts";
import { type ErrorCode, ERRORS } from "../../contracts/errors.ts";
import { KEY_SCOPES } from "../../contracts/key-scopes.ts";
import { ROLES } from "../../contracts/primitives.ts";
import { SCOPE_NAMES } from "../../core/expressions/scope.ts";
import { OWN_TOOLS } from "../../services/gateway/mcp/tools/index.ts";
import { MAX_PAGES, MAX_TEXT_CHARS } from "../../adapters/documents/messages.ts";
import { MAX_CONTENT } from "../../contracts/entities/knowledge.ts";
import { MAX_CODE_LENGTH, MAX_LOG_LINES, MEMORY_MIB } from "../../core/code/limits.ts";
import { MAX_EXPRESSION_LENGTH } from "../../core/expressions/limits.ts";
import { MAX_AGENT_TOOLS } from "../../core/graph/agent-data.ts";
import { MAX_EDGES, MAX_NODES } from "../../core/graph/definition.ts";
import { NODE_TYPES } from "../../core/graph/node-types.ts";
import { MAX_FILTERED } from "../../core/knowledge/index-entries.ts";
import { MAX_LIST_CHARS } from "../../core/run/items.ts";
import { MAX_OUTPUT_CHARS } from "../../core/run/step-limits.ts";
import { MAX_ENTRIES } from "../../core/run/turn.ts";
import { MAX_DEFINITION_BYTES } from "../../core/workflow-versions.ts";
import { MAX_KEPT } from "../../services/notifications/bounds.ts";
import { plain, read, section, table } from "../support/markdown.ts";
import { RULES } from "../../adapters/net/rules.ts";
import { MAY_IMPORT, LAYERS_INSIDE } from "../support/architecture.ts";

const rowsIn = (path: string, heading: string) => table(section(read(path), heading)).map(row => row.map(plain));
const column = (path: string, heading: string) => rowsIn(path, heading).map(([name]) => name);

describe("the documents list exactly the code's", () => {
  it("names of expressions", () => expect(column("docs/expressions.md", "## Names")).toEqual([...SCOPE_NAMES]));
  it("events of a run", () => expect(column("docs/runs.md", "## Follow a run")).toEqual([...LOG_EVENTS]));
  it("roles", () => expect(column("docs/workspaces.md", "## Roles")).toEqual([...ROLES]));

  it("scopes of API keys", () => {
    expect(rowsIn("docs/api.md", "## Authenticate a program")).toEqual(Object.entries(KEY_SCOPES));
  });

  it("kinds of records of an archive", () => {
    const kinds = archiveRecord.options.map(({ shape }) => shape.kind.value);
    expect(column("docs/workspaces.md", "## Move a workspace").toSorted()).toEqual(kinds.toSorted());
  });

  it("contents that an archive leaves out", () => {
    const told = read("docs/workspaces.md").replaceAll("\n", " ");
    const named = /An archive does not contain (.*?)\./.exec(told)?.[1]?.split(/, | and /);
    expect(named).toEqual([...ARCHIVE_LEAVES_OUT]);
  });

  it("quotas", () => {
    const rows = Object.entries(QUOTAS).map(([name, { what }]) => [name, what]);
    expect(rowsIn("docs/workspaces.md", "## Quotas and usage")).toEqual(rows);
  });

  it("types of steps whose calls a test run decides about", () => {
    const reaching = Object.entries(NODE_TYPES).filter(([, { reaches }]) => reaches);
    const told = read("docs/workflows.md").replaceAll(/\s+/g, " ");
    const listed = /unmocked steps that reach outside of the run \((.*?)\)/.exec(told)?.[1];
    expect(listed?.split(", ").map(plain)).toEqual(reaching.map(([type]) => type));
  });

  it("types of pure steps", () => {
    const pure = Object.entries(NODE_TYPES).filter(([, { pure }]) => pure);
    const listed = /Pure steps \((.*?)\)/.exec(read("docs/scaling.md").replaceAll(/\s+/g, " "))?.[1];
    expect(listed?.split(", ").map(plain)).toEqual(pure.map(([type]) => type));
  });

  it("states of a run", () => {
    const [, states = ""] = section(read("docs/runs.md"), "## Follow a run").split("A run has one of these states:");
    expect(table(states).map(([name]) => plain(name))).toEqual([...EXECUTION_STATUSES]);
  });

  it("states of a step", () => {
    const [, states = ""] = section(read("docs/runs.md"), "## Look into a run").split("| step status");
    expect(table(`| step status${states}`).map(([name]) => plain(name))).toEqual([...STEP_STATUSES]);
  });

  it("events of an account", () => {
    expect(rowsIn("docs/accounts.md", "## Events of an account")).toEqual(Object.entries(ACCOUNT_EVENTS));
  });

  it("variables of a provider", () => {
    expect(column("docs/accounts.md", "## Sign in by a provider")).toEqual(OIDC_SETTINGS);
  });

  it("limits", () => {
    const rows = Object.entries(LIMITS).map(([name, { usual, what }]) => [name, what, usual.toLocaleString("en")]);
    expect(rowsIn("docs/limits.md", "# Limits")).toEqual(rows);
  });

  it("errors", () => {
    const rows = Object.entries(ERRORS).map(([code, { status, title }]) => [
      ...[code, `${status}`, title],
      plain(remedies[code as ErrorCode]),
    ]);
    expect(rowsIn("docs/api.md", "## Errors")).toEqual(rows);
  });

  it("notifications", () => {
    const rows = Object.entries(NOTIFICATION_TYPES).map(([type, { when }]) => [type, plain(when)]);
    expect(rowsIn("docs/api.md", "## Notifications")).toEqual(rows);
  });

  it("types of credentials, with their fields", () => {
    const fieldsOf = (type: CredentialTypeName) =>
      credentialFields(type).map(({ name, required }) => name + (required ? "" : "?"));
    const rows = CREDENTIAL_TYPE_NAMES.map(type => {
      return [type, CREDENTIAL_TYPES[type].summary, fieldsOf(type).join(", ") || "names of your choice"];
    });
    expect(rowsIn("docs/connections.md", "## Types")).toEqual(rows);
  });

  it("states of credentials", () => {
    const [, states = ""] = section(read("docs/connections.md"), "## Create a credential").split("| status");
    expect(table(`| status${states}`).map(([name]) => plain(name))).toEqual([...CREDENTIAL_STATUSES]);
  });

  it("presets of signatures", () => {
    const partsOf = ({ signed }: SignatureScheme) =>
      ["id", "timestamp", "body"]
        .filter(part => signed.includes(`{${part}}`))
        .map(part => (part === "timestamp" ? "time" : part));
    const listed = (parts: string[]) => parts.join(", ").replace(/, (\w+)$/, " and $1");
    const rows = Object.entries<SignatureScheme>(HMAC_PRESETS).map(([preset, scheme]) => {
      const tolerance = scheme.timestamp ? `${DEFAULT_TOLERANCE_SECONDS} seconds` : "";
      return [preset, scheme.header, listed(partsOf(scheme)), tolerance];
    });
    const [, presets = ""] = read("docs/webhooks.md").split("| preset");
    expect(table(`| preset${presets}`).map(row => row.map(plain))).toEqual(rows);
  });

  it("ways to recognise the sender of a webhook", () => {
    const types = webhookAuth.options.map(({ shape }) => shape.type.value);
    const [, listed = ""] = read("docs/webhooks.md").split("| `auth.type`");
    expect(table(`| type${listed}`).map(([name]) => plain(name))).toEqual(types);
  });

  it("rules of the outbound guard", () => {
    expect(rowsIn("docs/security.md", "## Calls to the outside")).toEqual(Object.entries(RULES));
  });

  it("templates", () => {
    const templates = globSync("templates/*.json")
      .sort()
      .map(path => JSON.parse(read(path)) as Template);
    const rows = templates.map(({ name, category }) => [name, category]);
    expect(rowsIn("docs/workflows.md", "## Templates")).toEqual(rows);
  });

  it("tools for MCP clients, with their roles", () => {
    const rows = OWN_TOOLS.map(({ name, role }) => [name, role]);
    const listed = rowsIn("docs/mcp.md", "## Offer Weft as a tool server").map(([name, role]) => [name, role]);
    expect(listed).toEqual(rows);
  });

  it("commands", () => {
    const rows = COMMANDS.map(({ name, args, summary }) => [[name, args].filter(Boolean).join(" "), summary]);
    expect(rowsIn("docs/cli.md", "## Commands")).toEqual(rows);
  });

  it("imports that the architecture allows", () => {
    const rows = rowsIn("CONTRIBUTING.md", "## Layers").map(([layer, , imports]) => [layer, imports]);
    const here = Object.entries(MAY_IMPORT).filter(([layer]) => existsSync(layer));
    const rules = here.map(([layer, layers]) => [layer, layers.join(", ") || "no other layer"]);
    expect(rows).toEqual(rules);
  });

  it("imports that the architecture allows inside large services", () => {
    const rows = rowsIn("CONTRIBUTING.md", "### Layers inside large services").map(([layer, , imports]) => [
      layer,
      imports,
    ]);
    const rules = Object.entries(LAYERS_INSIDE).flatMap(([service, layers]) =>
      Object.entries(layers).map(([layer, may]) => [`${service}/${layer}`, may.join(", ") || "nothing"]),
    );
    expect(rows).toEqual(rules);
  });
});

describe("the table of sizes and times", () => {
  const rows = new Map(
    table(section(read("docs/limits.md"), "## Sizes and times")).map(([what = "", limit = ""]) => [what, limit]),
  );

  it.each<[string, number, string]>([
    ["a definition", MAX_DEFINITION_BYTES / 1_024, "KiB"],
    ["nodes of a definition", MAX_NODES, ""],
    ["edges of a definition", MAX_EDGES, ""],
    ["characters of an expression", MAX_EXPRESSION_LENGTH, ""],
    ["the output of a step, as JSON", MAX_OUTPUT_CHARS / 1_024, "KiB"],
    ["items of a `map`", MAX_LIST_CHARS / 1_048_576, "MiB as JSON"],
    ["a `code` step", MAX_CODE_LENGTH / 1_024, "KiB of code"],
    ["a `code` step", MEMORY_MIB, "MiB of memory"],
    ["a `code` step", MAX_LOG_LINES, "lines of log"],
    ["tools of an `agent`", MAX_AGENT_TOOLS, ""],
    ["entries in the log of a run", MAX_ENTRIES, ""],
    ["notifications of a user", MAX_KEPT, ""],
    ["characters of a knowledge entry", MAX_CONTENT, ""],
    ["metadata of a knowledge entry", MAX_FILTERED, "short values"],
    ["the text of an imported file", MAX_TEXT_CHARS, "characters"],
    ["the text of an imported file", MAX_PAGES, "pages"],
  ])("%s: %d %s", (what, limit, unit) => {
    expect(rows.get(what)).toMatch(new RegExp(`(^|\\D)${limit.toLocaleString("en")} ?${unit}`));
  });
});

describe("the table of variables", () => {
  const rows = read("docs/configuration.md")
    .split("\n")
    .filter(line => /^\| `[A-Z]/.test(line))
    .map(line => table(`|\n|\n${line}`)[0]!);

  it("names every variable once", () => {
    expect(rows.map(([name]) => plain(name)).sort()).toEqual([...VARIABLES].sort());
  });

  it("has the defaults that apply", () => {
    const defaults = readEnvironment({});
    // A default in words stands for what is absent, or for what the code makes of it.
    const inWords = new Set(["SERVICES", "LIMITS"]);
    for (const [cell, shown = ""] of rows) {
      const name = plain(cell) as keyof typeof defaults;
      if (/^`[^<]+`$/.test(shown)) {
        expect(defaults[name]).toBeDefined();
        expect(readEnvironment({ [name]: plain(shown) })).toEqual(defaults);
      } else if (!inWords.has(name)) {
        expect({ name, value: defaults[name] ?? [] }).toEqual({ name, value: [] });
      }
    }
  });
});
