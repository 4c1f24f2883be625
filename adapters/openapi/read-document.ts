import { upgrade } from "@scalar/openapi-upgrader";
import { parse, YAMLParseError } from "yaml";
import { isObject } from "../../core/json.ts";
import type { ApiDescription } from "../../core/openapi/operation.ts";
import { readDescription } from "../../core/openapi/read-description.ts";
import { ApiDocumentError, type Task } from "./messages.ts";

const unreadable = (message: string) => new ApiDocumentError(message, false);

/** @throws {ApiDocumentError} */
function parsed(text: string): Record<string, unknown> {
  let document: unknown;
  try {
    // The library refuses aliases that multiply the document.
    document = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text, { uniqueKeys: false, logLevel: "error" });
  } catch (error) {
    const place =
      error instanceof YAMLParseError || error instanceof SyntaxError ? ` ${error.message.split("\n")[0]}` : "";
    throw unreadable(`The document is neither JSON nor YAML.${place}`);
  }
  if (!isObject(document)) throw unreadable("The document is not an object.");
  return document;
}

/**
 * Reads a document of OpenAPI 3.0 or 3.1. It blocks the process while it works.
 * @throws {ApiDocumentError} when it is not such a document
 */
export function readDocument({ text, documentUrl }: Task): ApiDescription {
  const document = parsed(text);
  const { openapi } = document;
  if (typeof openapi !== "string" || !/^3\.[01](\.|$)/.test(openapi)) {
    const named = openapi ?? document.swagger;
    const what = typeof named === "string" ? `It says ${named.slice(0, 20)}.` : "It names no version.";
    throw unreadable(`The document is not of OpenAPI 3.0 or 3.1. ${what}`);
  }
  const current = openapi.startsWith("3.0") ? (upgrade(document, "3.1") as Record<string, unknown>) : document;
  return readDescription(current, documentUrl, `OpenAPI ${openapi.slice(0, 20)}`);
}
