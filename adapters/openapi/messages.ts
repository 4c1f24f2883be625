import type { ApiDescription } from "../../core/openapi/operation.ts";

export interface Task {
  /** The document, as JSON or YAML. */
  text: string;
  /** The address of the document; null for an uploaded one. */
  documentUrl: string | null;
}

export type Answer = { description: ApiDescription } | { error: string };

/** Says why a document cannot be read. `passing`: another attempt may succeed. */
export class ApiDocumentError extends Error {
  override name = "ApiDocumentError";
  readonly passing: boolean;

  constructor(message: string, passing: boolean) {
    super(message);
    this.passing = passing;
  }
}
