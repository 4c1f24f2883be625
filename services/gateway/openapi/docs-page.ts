import { createHash } from "node:crypto";
import { ERRORS } from "../../../contracts/errors.ts";
import type { OpenApiDocument } from "./document.ts";
import { escapeHtml as esc, prose, table } from "./html.ts";
import type { Operation } from "./operation.ts";
import { schemaRows, typeHtml } from "./schema-html.ts";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #8884; }
section { margin: 2rem 0; padding-top: 0.5rem; border-top: 1px solid #8888; }
h3 a { color: inherit; text-decoration: none; }
nav ul { columns: 18rem; padding-left: 1.2rem; }
`;

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

function operationsOf({ paths }: OpenApiDocument): Map<string, Listed[]> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return Map.groupBy(all, ({ operation }) => operation.tags[0] ?? "");
}

function answersHtml({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const problem = Number(status) >= 400 && "application/problem+json" in content;
    const [type, body] = Object.entries(content)[0] ?? [];
    const shown =
      problem || !body ? "" : type === "application/json" ? typeHtml(body.schema) : `<code>${esc(type!)}</code>`;
    const told = problem
      ? prose(description).replace(/<code>(\w+)<\/code>/g, '<a href="#error-$1"><code>$1</code></a>')
      : prose(description);
    return [status, told, shown];
  });
  return table(["Status", "Meaning", "Body"], rows);
}

function operationHtml({ method, path, operation }: Listed): string {
  const { operationId, summary, description, parameters, requestBody } = operation;
  const rows = parameters.map(({ name, in: place, required, schema, content = {}, description: told = "" }) => [
    `<code>${esc(name)}</code>`,
    place,
    `${typeHtml(schema ?? Object.values(content)[0]?.schema ?? {})}${required ? "" : ", optional"}`,
    prose(told),
  ]);
  const body = requestBody?.content["application/json"]?.schema;
  const files = Object.keys(requestBody?.content ?? {}).filter(type => type !== "application/json");
  const others = files.map(type => `<code>${esc(type)}</code>`).join(", ");
  return `<section id="${esc(operationId)}">
<h3><a href="#${esc(operationId)}"><code>${method} ${esc(path)}</code></a></h3>
<p>${prose(summary)}. ${prose(description)}</p>
${rows.length ? `<h4>Parameters</h4>${table(["Name", "In", "Type", ""], rows)}` : ""}
${body ? `<h4>Body</h4>${table(["Field", "Type", ""], schemaRows(body))}` : ""}
${others ? `<p>Or, instead of JSON: ${others}</p>` : ""}
<h4>Answers</h4>${answersHtml(operation)}
</section>`;
}

/** The API's description as a page that needs nothing else, not even a script, with an anchor for every operation and error. */
export function docsPage(document: OpenApiDocument): { html: string; styleHash: string } {
  const groups = [...operationsOf(document)];
  const links = groups.map(([tag, operations]) => {
    const items = operations.map(({ method, path, operation: { operationId } }) => {
      return `<li><a href="#${esc(operationId)}"><code>${method} ${esc(path)}</code></a></li>`;
    });
    return `<h3>${esc(tag)}</h3><ul>${items.join("")}</ul>`;
  });
  const errors = Object.entries(ERRORS).map(([code, { status, title }]) => [
    `<code id="error-${code}">${code}</code>`,
    `${status}`,
    esc(title),
  ]);
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<section id="schema-${name}"><h3>${name}</h3><p>${prose(schema.description ?? "")}</p>${table(["Field", "Type", ""], schemaRows(schema))}</section>`,
  );
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${esc(document.info.title)} API</title><style>${STYLE}</style></head><body>
<h1>${esc(document.info.title)} API</h1>
<p>${prose(document.info.description)}</p>
<p>For programs: <a href="/openapi.json">openapi.json</a>. Further down: <a href="#errors">errors</a>, <a href="#schemas">schemas</a>.</p>
<nav>${links.join("\n")}</nav>
${groups.map(([tag, operations]) => `<h2>${esc(tag)}</h2>${operations.map(operationHtml).join("\n")}`).join("\n")}
<h2 id="errors">Errors</h2>${table(["Code", "Status", "Meaning"], errors)}
<h2 id="schemas">Schemas</h2>${schemas.join("\n")}
</body></html>
`;
  return { html, styleHash: `sha256-${createHash("sha256").update(STYLE).digest("base64")}` };
}
