import { type ErrorCode, ERRORS } from "../../../../contracts/errors.ts";
import type { OpenApiDocument } from "../../openapi/document.ts";
import { escapeHtml as esc, prose } from "../../openapi/html.ts";
import type { Operation, Parameter, Response } from "../../openapi/operation.ts";
import { typeHtml } from "../../openapi/schema-html.ts";
import { codeBlock } from "../highlight.ts";
import { answerExample, curlExample, sdkExample } from "./examples.ts";
import { fieldsHtml, valuesHtml } from "./fields.ts";

export interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

const PLACES = { path: "Path", query: "Query", header: "Headers" } as const;
const JSON_TYPE = "application/json";
const PROBLEM = "application/problem+json";

export const methodHtml = (method: string): string => `<span class="method ${method.toLowerCase()}">${method}</span>`;
export const pathHtml = (path: string): string =>
  `<code class="path">${esc(path)
    .replaceAll("/", "/<wbr>")
    .replace(/\{\w+\}/g, "<var>$&</var>")}</code>`;

function parametersHtml(parameters: readonly Parameter[]): string {
  return Object.entries(PLACES)
    .map(([place, title]) => {
      const here = parameters.filter(parameter => parameter.in === place);
      if (here.length === 0) return "";
      const values = here.map(({ name, schema, content, required, description }) => {
        return { name, schema: schema ?? Object.values(content ?? {})[0]?.schema ?? {}, required, description };
      });
      return `<h4>${title}</h4>${valuesHtml(values)}`;
    })
    .join("\n");
}

function bodyHtml({ requestBody }: Operation): string {
  if (!requestBody) return "";
  const schema = requestBody.content[JSON_TYPE]?.schema;
  const others = Object.keys(requestBody.content).filter(type => type !== JSON_TYPE);
  const instead = others.map(type => `<code>${esc(type)}</code>`).join(", ");
  const shown = schema ? fieldsHtml(schema) || `<p>${typeHtml(schema)}</p>` : "";
  return `<h4>Body</h4>${shown}${instead ? `<p>Instead of JSON: ${instead}</p>` : ""}`;
}

function answerHtml(status: string, { description, content = {}, headers = {} }: Response): string {
  const [type, body] = Object.entries(content)[0] ?? [];
  const kind =
    type === undefined ? "no body" : type === JSON_TYPE ? typeHtml(body?.schema ?? {}) : `<code>${esc(type)}</code>`;
  const named = Object.keys(headers).map(name => `<code>${esc(name)}</code>`);
  const told = named.length > 0 ? `<p class="headers">Headers: ${named.join(", ")}</p>` : "";
  return `<div><dt><code class="status">${status}</code> <span class="type">${kind}</span></dt><dd><p>${prose(description)}</p>${told}</dd></div>`;
}

const isProblem = ([status, { content = {} }]: [string, Response]) => Number(status) >= 400 && PROBLEM in content;

function codesIn({ content = {} }: Response): ErrorCode[] {
  const codes = content[PROBLEM]?.schema.allOf?.[1]?.properties?.code?.enum ?? [];
  return codes as ErrorCode[];
}

function answersHtml({ responses }: Operation): string {
  const all = Object.entries(responses);
  const plain = all.filter(answer => !isProblem(answer));
  const rows = all.filter(isProblem).flatMap(([status, answer]) =>
    codesIn(answer).map(code => {
      const link = `<a href="/docs#error-${code}"><code>${code}</code></a>`;
      return `<tr><td>${status}</td><td>${link}</td><td>${esc(ERRORS[code].title)}</td></tr>`;
    }),
  );
  const errors = `<details class="errors"><summary>Errors (${rows.length})</summary><div class="table" tabindex="0"><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div></details>`;
  return `<h4>Answers</h4><dl class="fields">${plain.map(([status, answer]) => answerHtml(status, answer)).join("\n")}</dl>${rows.length > 0 ? errors : ""}`;
}

function examplesHtml({ method, path, operation }: Listed, schemas: OpenApiDocument["components"]["schemas"]): string {
  const sdk = sdkExample(operation, schemas);
  const answer = answerExample(operation, schemas);
  return [
    `<div data-lang="curl">${codeBlock(curlExample(method, path, operation, schemas), "sh", "curl")}</div>`,
    sdk === undefined ? "" : `<div data-lang="ts">${codeBlock(sdk, "ts", "TypeScript")}</div>`,
    answer === undefined ? "" : codeBlock(answer, "json", "Answer"),
  ].join("\n");
}

/** One route, folded. */
export function operationHtml(listed: Listed, schemas: OpenApiDocument["components"]["schemas"]): string {
  const { method, path, operation } = listed;
  const { operationId, summary, description, parameters } = operation;
  const id = esc(operationId);
  return `<details class="operation" id="${id}">
<summary><h2>${prose(summary)}</h2><span class="route">${methodHtml(method)}${pathHtml(path)}</span></summary>
<div class="columns">
<div class="about">
<p class="access">${prose(description)} <a class="anchor" href="#${id}" aria-label="Link to this route">#</a></p>
${parametersHtml(parameters)}
${bodyHtml(operation)}
${answersHtml(operation)}
</div>
<div class="examples">${examplesHtml(listed, schemas)}</div>
</div>
</details>`;
}
