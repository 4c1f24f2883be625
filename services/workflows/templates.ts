import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceBroker } from "moleculer";
import { callerOf, handle } from "../../contracts/call.ts";
import { type Template, template as templateSchema } from "../../contracts/entities/template.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { bindAll } from "../../core/exchange/credential-references.ts";
import { checkDefinition, errorsIn } from "../../core/graph/check-definition.ts";
import { pageOfTemplates } from "../../core/templates.ts";
import { newId } from "../../service-kit/new-id.ts";
import type { Writer } from "./file-holds.ts";
import { withCredentialIdsIn } from "./file-credentials.ts";
import { insertWorkflow } from "./insert-workflow.ts";

const FOLDER = join(import.meta.dirname, "../../templates");

export interface WithTemplates {
  templates: () => readonly Template[];
}

/**
 * Reads a template from its file.
 * @throws {Error} with the reason when the file is not a template
 */
function readTemplate(path: string): Template {
  const template = templateSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  // A workflow from this template binds the credentials that the template requires, so they are bound for the check
  // too.
  const [fault] = errorsIn(checkDefinition(bindAll(template.definition)));
  if (fault) throw new Error(`${fault.nodeId ?? "definition"}: ${fault.path}: ${fault.message}`);
  return template;
}

/** All templates of a folder, by name. Logs and skips invalid templates, so that the others can still be used. */
export function loadTemplates(logger: Pick<ServiceBroker["logger"], "error">, folder = FOLDER): Template[] {
  const byId = new Map<string, Template>();
  for (const file of readdirSync(folder).filter(name => name.endsWith(".json"))) {
    try {
      const template = readTemplate(join(folder, file));
      if (byId.has(template.id)) throw new Error(`another template has the id ${template.id}`);
      byId.set(template.id, template);
    } catch (error) {
      logger.error(`templates/${file} is invalid and is not listed`, error);
    }
  }
  return [...byId.values()].sort((a, b) => a.name.localeCompare(b.name, "en"));
}

export const templates = handle<"workflows.templates", WithTemplates>("workflows.templates", function (ctx) {
  const page = pageOfTemplates(this.templates(), ctx.params);
  if (!page) return Promise.reject(new AppError("invalid_cursor"));
  return Promise.resolve(page);
});

export const fromTemplate = handle<"workflows.fromTemplate", Writer & WithTemplates>(
  "workflows.fromTemplate",
  async function (ctx) {
    const template = this.templates().find(({ id }) => id === ctx.params.templateId);
    if (!template) throw notFound("template");
    const { definition } = await withCredentialIdsIn(ctx, ctx.params.workspaceId, template.definition);
    const content = { ...template, name: ctx.params.name ?? template.name, definition };
    return insertWorkflow(this, { ...ctx.params, id: newId(ctx) }, content, callerOf(ctx).userId);
  },
);
