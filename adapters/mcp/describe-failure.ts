import { clip } from "../../core/clip.ts";
import { OutboundError, type OutboundErrorCode } from "../net/outbound-error.ts";
import { McpError, type McpErrorCode } from "./mcp-error.ts";
import type { Mask } from "../../core/credentials/mask.ts";

export interface FailureContext {
  /** The host of the server, for the message. */
  host: string;
  /**
   * In phase `call`, a refusal is a failure of that call. In phase `list`, it means that the host is not a tool server.
   */
  phase: "list" | "call";
  /** Hides the credential of the server. */
  mask: Mask;
}

const MAX_TEXT = 300;
/** The message for a request whose stream ended before its answer. */
export const STREAM_ENDED = "The connection ended before the answer came";

const OUTBOUND: Record<OutboundErrorCode, McpErrorCode> = {
  outbound_refused: "mcp_refused",
  outbound_timeout: "mcp_timeout",
  outbound_failed: "mcp_unreachable",
  outbound_aborted: "mcp_aborted",
  outbound_busy: "mcp_busy",
  response_too_large: "mcp_protocol",
};

interface Failure {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  cause?: unknown;
  data?: { cause?: unknown; status?: unknown; resultType?: unknown };
}

/** An error and its causes, outermost first. */
export function causesOf(error: unknown): Failure[] {
  const chain: Failure[] = [];
  for (let at = error as Failure | undefined; at && typeof at === "object" && chain.length < 6;) {
    chain.push(at);
    at = (at.cause ?? at.data?.cause) as Failure | undefined;
  }
  return chain;
}

/** The HTTP status with which the server refused a request, if it did. */
export function statusOf(error: unknown): number | undefined {
  const status = causesOf(error).find(({ data }) => typeof data?.status === "number")?.data?.status;
  return typeof status === "number" ? status : undefined;
}

/** The first line of a text from a server or a library. */
function plain(text: unknown): string {
  const line = typeof text === "string" ? (text.split("\n")[0] ?? "") : "";
  return clip(line.replace(/\p{Cc}/gu, " ").trim(), MAX_TEXT);
}

function ofStatus(status: number, host: string): McpError {
  const said = `${host} answered with status ${status}`;
  if (status === 429) return new McpError("mcp_unreachable", `${said}: it is called too often`);
  if (status >= 500) return new McpError("mcp_unreachable", said);
  if (status >= 300 && status < 400) return new McpError("mcp_protocol", `${said}, a redirect without a destination`);
  return new McpError("mcp_protocol", `${said}: there may be no tool server at this address`);
}

function ofSdk({ name, code, message, data }: Failure, { host, phase }: FailureContext): McpError | undefined {
  if (message === STREAM_ENDED) return new McpError("mcp_unreachable", `${host}: ${STREAM_ENDED.toLowerCase()}`);
  if (name === "ProtocolError" || (typeof code === "number" && name !== "SseError")) {
    const text = plain(message);
    return phase === "call"
      ? new McpError("mcp_call_failed", `${host} refused the call: ${text}`)
      : new McpError("mcp_protocol", `${host} refused the request: ${text}`);
  }
  switch (code) {
    case "REQUEST_TIMEOUT":
      return new McpError("mcp_timeout", `${host} did not answer in time`);
    case "CONNECTION_CLOSED":
    case "NOT_CONNECTED":
    case "SEND_FAILED":
      return new McpError("mcp_unreachable", `The connection to ${host} was closed`);
    case "expression_busy":
      return new McpError("mcp_busy", "Too many schemas wait to be checked: try again later");
    case "UNSUPPORTED_RESULT_TYPE":
      return data?.resultType === "input_required"
        ? new McpError("mcp_call_failed", `The tool of ${host} asks a person for input, which a workflow cannot give`)
        : new McpError("mcp_protocol", `${host} returned an unknown kind of result`);
    default:
      return undefined;
  }
}

/** Describes a failure of a server in plain words and without credentials, whichever library reports it. */
export function describeFailure(error: unknown, context: FailureContext): McpError {
  const made = describe(error, context);
  const message = context.mask(made.message);
  return message === made.message ? made : new McpError(made.code, message);
}

function describe(error: unknown, context: FailureContext): McpError {
  const { host, phase } = context;
  const chain = causesOf(error);
  const ours = chain.find(one => one instanceof McpError);
  if (ours) return ours;
  const outbound = chain.find(one => one instanceof OutboundError);
  if (outbound) {
    const code =
      outbound.code === "response_too_large" && phase === "call" ? "mcp_call_failed" : OUTBOUND[outbound.code];
    return new McpError(code, outbound.message.includes(host) ? outbound.message : `${host}: ${outbound.message}`);
  }
  const status = statusOf(error);
  if (status !== undefined) return ofStatus(status, host);
  for (const one of chain) {
    const known = ofSdk(one, context);
    if (known) return known;
  }
  return new McpError("mcp_protocol", `${host} does not answer as a tool server does: ${plain(chain[0]?.message)}`);
}
