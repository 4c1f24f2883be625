/** Where a parameter of an operation is sent. */
export const PARAMETER_LOCATIONS = ["path", "query", "header", "cookie"] as const;
export type ParameterLocation = (typeof PARAMETER_LOCATIONS)[number];

/** How a parameter is serialised (OpenAPI 3.1, section 4.8.12.3 "Style Values"). */
export type Style = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

export interface ApiParameter {
  /** The name in the request. */
  name: string;
  /** The name of the argument. It differs from `name` if two parameters have the same name. */
  argument: string;
  in: ParameterLocation;
  style: Style;
  explode: boolean;
  /** The value is sent as JSON. */
  json?: true;
}

export interface ApiBody {
  argument: string;
  /** The content type that is sent. */
  type: string;
  /** Fields of a form whose objects and lists are written as `field[name]` and `field[0]`. */
  deep?: string[];
}

/** What a call of an operation needs to know besides its arguments. */
export interface ApiOperation {
  method: string;
  /** The path with its parameters in braces. */
  path: string;
  /** The address that the path is appended to. */
  server: string;
  parameters: ApiParameter[];
  body?: ApiBody;
  /**
   * The ways to authenticate. Each way lists the security schemes that it needs together. Empty if the document asks
   * for no authentication.
   */
  security: string[][];
}

/** An operation as a tool. */
export interface ApiTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: Record<string, unknown>;
  operation: ApiOperation;
}

/** A security scheme of a document, and the types of credentials that fit it. */
export interface SecurityScheme {
  name: string;
  /** A description, such as `API key in the header X-Key`. */
  description: string;
  credentialTypes: string[];
}

/** An API as its document describes it. */
export interface ApiDescription {
  title: string;
  version: string;
  /** The version of the specification that the document follows. */
  specification: string;
  /** The first server of the document; null if it names none. */
  server: string | null;
  securitySchemes: SecurityScheme[];
  tools: ApiTool[];
  /** The operations that cannot be called, with reasons. */
  dropped: { name: string; reason: string }[];
}
