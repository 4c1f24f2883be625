import { DOCUMENT_FORMAT, type ImportWarning, workflowDocument } from "../../contracts/entities/workflow-document.ts";
import type { Fault } from "../../contracts/errors.ts";
import { issueFaults } from "../../contracts/issue-faults.ts";
import { isObject } from "../json.ts";
import type { Content } from "../workflow-versions.ts";
import { foreignReferences } from "./foreign-references.ts";
import { importN8n } from "./n8n/import.ts";
import { isN8n, readN8n } from "./n8n/workflow.ts";

/** `faults` is set when the kind of the file is unknown, or the file is too large. Their paths begin at the file. */
export type ReadDocument =
  | { content: Content; warnings: ImportWarning[]; converted: boolean; faults?: undefined }
  | { content?: undefined; faults: Fault[] };

const EXPECTED = `expected what an export gave (format "${DOCUMENT_FORMAT}"), or a workflow that was exported from n8n (nodes and connections)`;

function readOwn(document: unknown): ReadDocument {
  const { success, data, error } = workflowDocument.safeParse(document);
  if (!success) return { faults: issueFaults(error.issues) };
  const { name, description, definition = null } = data;
  return { content: { name, description, definition }, warnings: foreignReferences(definition), converted: false };
}

function readForeign(document: Record<string, unknown>): ReadDocument {
  const read = readN8n(document);
  return "faults" in read ? read : { ...importN8n(read.workflow), converted: true };
}

/** Reads a workflow from a file: a Weft export, or an n8n export. */
export function readDocument(document: unknown): ReadDocument {
  if (isObject(document) && Object.hasOwn(document, "format")) return readOwn(document);
  if (isObject(document) && isN8n(document)) return readForeign(document);
  return { faults: [{ path: "", message: EXPECTED }] };
}
