import { credentialOf } from "../credentials.ts";
import { stepOutput } from "../flow.ts";
import type { NodeKind } from "../kind.ts";
import { isExpression } from "../parameter.ts";
import { objectAt, textAt, type Translation } from "../translation.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

/** The recipients in a field, which n8n stores as one text separated by commas; undefined if it is empty. */
function recipients(value: unknown, field: string, t: Translation): unknown {
  if (value === undefined || value === "") return undefined;
  if (isExpression(value)) {
    t.warn(`\`${field}\` must give one address, or a list of addresses: here, a text is one recipient.`);
    return t.template(value);
  }
  const all = textAt(value, "")
    .split(",")
    .map(one => one.trim())
    .filter(one => one !== "");
  return t.template(all.length === 1 ? all[0] : all);
}

/** The text and the HTML of a mail. Nodes of version 2 choose between them. */
function contentOf({ parameters, typeVersion }: N8nNode, t: Translation): Record<string, unknown> {
  const format = typeVersion < 2 ? "both" : textAt(parameters.emailFormat, typeVersion < 2.1 ? "text" : "html");
  const { text = "", html = "" } = parameters;
  const has = { text: format !== "html" && text !== "", html: format !== "text" && html !== "" };
  return {
    ...((has.text || !has.html) && { text: t.template(text) }),
    ...(has.html && { html: t.template(html) }),
  };
}

export const sendEmail: NodeKind = {
  translate(node, t) {
    const { parameters, typeVersion } = node;
    const operation = textAt(parameters.operation, "send");
    if (operation !== "send") throw new Untranslatable(`the operation "${shown(operation)}"`);
    const options = objectAt(parameters, "options");
    const more = typeVersion < 2 ? parameters : options;
    if (more.attachments !== undefined && more.attachments !== "")
      t.warn("Its attachments are left out. Name the files in `attachments`.");
    if (options.allowUnauthorizedCerts === true) t.warn("It accepted certificates that are not valid. Weft does not.");
    const credential = credentialOf(node, t);
    if (!credential) t.warn("Choose a credential of the type `smtp` for the step.");
    const optional = {
      from: parameters.fromEmail === "" ? undefined : t.template(parameters.fromEmail),
      cc: recipients(more.ccEmail, "cc", t),
      bcc: recipients(more.bccEmail, "bcc", t),
      replyTo: recipients(options.replyTo, "replyTo", t),
    };
    return {
      type: "email",
      data: {
        ...(credential && { credential }),
        to: recipients(parameters.toEmail, "to", t) ?? "",
        subject: t.template(parameters.subject ?? ""),
        ...contentOf(node, t),
        ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
      },
    };
  },
  gives: ({ name }, flows) => stepOutput(flows.idOf(name), false),
};
