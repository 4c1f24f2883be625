import { z } from "zod";
import { toolResult } from "../../../contracts/entities/mcp-server.ts";
import { MAX_RESPONSE_BYTES } from "../node-data.ts";
import { EXAMPLE_ID, EXAMPLE_URL, type NodeWords, type WordsOf } from "./words.ts";

const anything = z.unknown();
const ANSWER = "Answer";
const REQUEST = "More of the request";

/** How a call is made, and how its answer is used. */
const CALL = {
  followRedirects: {
    title: "Redirects",
    docs: "the maximum number of redirects, up to 20. With 0, the step returns the redirect",
    group: REQUEST,
  },
  retryOn: {
    title: "Retry on",
    docs: 'the failures that a retry policy repeats: `"network"`, statuses such as 409, `"4xx"`, `"5xx"`',
    group: REQUEST,
  },
  failOnStatus: {
    title: "Fail on an error status",
    docs: "`false` accepts every status",
    group: ANSWER,
  },
  response: {
    title: "Response format",
    docs: "`auto` parses a response with a JSON content type, and stores a response that is not text as a [file](files.md). `json` fails with `not_json` if the response is not JSON. `text` does not parse. `file` stores every response as a file",
    group: ANSWER,
  },
  maxResponseBytes: {
    title: "Maximum response size",
    docs: "the largest response in bytes. The default and maximum is 16 MiB for a value, and `MAX_FILE_BYTES` for a file",
    group: ANSWER,
  },
  pagination: { title: "Pages", docs: "[reads page after page](steps.md#pages)", group: "Pages" },
  "pagination.next": { title: "Next page", docs: "where the next page is" },
  "pagination.next.url": {
    title: "Address",
    docs: "this address, absolute or relative to the page",
    widget: "expression",
  },
  "pagination.next.query": {
    title: "Parameters",
    docs: "the same address with these parameters. A parameter that is null is left out",
    widget: "keyValue",
  },
  "pagination.items": {
    title: "Items",
    docs: "an expression for the items of a page: a list, a single item, or nothing",
    widget: "expression",
  },
  "pagination.until": {
    title: "Until",
    docs: "an expression; the page for which it is `true` is the last one",
    widget: "expression",
  },
  "pagination.maxPages": {
    title: "Maximum number of pages",
    docs: "the maximum number of pages, up to 10,000. If there are more, the log says so",
  },
  "pagination.delayMs": {
    title: "Wait between pages",
    docs: "the wait before each further page, up to a minute",
    widget: "duration",
  },
} satisfies Partial<NodeWords<"http">["fields"]>;

const answered = z.union([
  z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: anything }),
  z.object({ items: z.array(anything), pages: z.int(), status: z.int() }),
]);

export const OUTSIDE: WordsOf<"http" | "api" | "tool" | "subworkflow"> = {
  http: {
    category: "outside",
    title: "HTTP request",
    summary: "Calls an HTTP endpoint.",
    docs:
      "Calls an HTTP endpoint. Its output is `{status, headers, body}`. A status outside of 2xx fails the step with " +
      "`http_status`.",
    icon: "globe",
    keywords: ["api", "rest", "fetch", "url", "webhook", "call", "get", "post"],
    fields: {
      method: { title: "Method", docs: "GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS", hint: "" },
      url: {
        title: "URL",
        docs: "the address; [the outbound guard](security.md#calls-to-the-outside) must allow it",
        widget: "expression",
      },
      credential: {
        title: "Credential",
        docs: "the id of the [credential](connections.md#use-a-credential) that signs the call",
        hint: "signs the call",
        widget: "credential",
      },
      query: {
        title: "Query",
        docs: "query parameters. A parameter that is null is left out",
        widget: "keyValue",
      },
      headers: { title: "Headers", docs: "request headers", hint: "", widget: "keyValue" },
      body: {
        title: "Body",
        docs: "the body. A string is sent unchanged, an object with the content type `application/x-www-form-urlencoded` as a form, and any other value as JSON",
        widget: "expression",
      },
      bodyType: {
        title: "Body type",
        docs: "how to send the body: `json`, `form`, `text`, `multipart` or `file`. `multipart` sends an object whose values may be [files](files.md), and `file` sends one file",
        group: REQUEST,
      },
      ...CALL,
    },
    output: answered,
    limits: { responseBytes: MAX_RESPONSE_BYTES },
    defaults: { method: "GET", url: "" },
    examples: [
      {
        title: "Read an order",
        data: { url: `${EXAMPLE_URL}/orders/{{ input.order }}`, query: { fields: "total" } },
        input: { order: 7 },
        sample: {
          status: 200,
          headers: { "content-type": "application/json" },
          body: { method: "GET", path: "/orders/7", query: { fields: "total" }, body: null },
        },
      },
      {
        title: "Send a message",
        data: { method: "POST", url: `${EXAMPLE_URL}/messages`, body: { text: "Order {{ input.order }} is paid." } },
        input: { order: 7 },
        sample: {
          status: 200,
          headers: { "content-type": "application/json" },
          body: { method: "POST", path: "/messages", query: {}, body: { text: "Order 7 is paid." } },
        },
      },
      {
        title: "Read page after page",
        data: {
          url: `${EXAMPLE_URL}/pages/1`,
          pagination: { next: { url: "{{ response.body.next }}" }, items: "{{ response.body.items }}" },
        },
        sample: { items: ["a", "b", "c"], pages: 2, status: 200 },
      },
    ],
  },
  api: {
    category: "outside",
    title: "API operation",
    summary: "Calls an operation of a registered API.",
    docs:
      "Calls an operation of an [API that is registered by its OpenAPI document](apis.md), with the credential of the API. " +
      "Its output is `{status, headers, body}`, like that of `http`. Arguments that do not match the document fail the step with `tool_arguments_invalid`; the step then sends nothing.",
    icon: "plug",
    keywords: ["openapi", "swagger", "rest", "operation", "integration", "call"],
    fields: {
      toolId: { title: "Operation", docs: "the id of the operation", hint: "", widget: "operation" },
      arguments: {
        title: "Arguments",
        docs: "the parameters by their names, and the body as `body`",
        widget: "arguments",
      },
      ...CALL,
    },
    output: answered,
    limits: { responseBytes: MAX_RESPONSE_BYTES },
    defaults: { toolId: "", arguments: {} },
    examples: [
      {
        title: "Read an order",
        data: { toolId: EXAMPLE_ID.operation, arguments: { order: "{{ input.order }}", fields: "total" } },
        input: { order: 7 },
        sample: {
          status: 200,
          headers: { "content-type": "application/json" },
          body: { method: "GET", path: "/orders/7", query: { fields: "total" }, body: null },
        },
      },
    ],
  },
  tool: {
    category: "outside",
    title: "Tool",
    summary: "Calls a tool of an MCP server.",
    docs:
      "Calls a tool of a registered [MCP server](mcp.md). Its output is `{content, structuredContent, isError}`, as the " +
      "protocol defines it. An error result fails the step with `tool_error`.",
    icon: "wrench",
    keywords: ["mcp", "server", "call", "function", "integration"],
    fields: {
      toolId: { title: "Tool", docs: "the id of the tool", hint: "", widget: "tool" },
      arguments: { title: "Arguments", docs: "the arguments of the tool", widget: "arguments" },
    },
    output: toolResult,
    defaults: { toolId: "", arguments: {} },
    examples: [
      {
        title: "Look a part up",
        data: { toolId: EXAMPLE_ID.tool, arguments: { part: "{{ input.part }}" } },
        input: { part: "bell" },
        sample: { content: [{ type: "text", text: "bell: 3 left" }], isError: false },
      },
    ],
  },
  subworkflow: {
    category: "outside",
    title: "Subworkflow",
    summary: "Runs another workflow.",
    docs:
      "Starts a run of another workflow in the workspace and waits for it without holding a worker. Its output is the " +
      "output of that run.",
    icon: "workflow",
    keywords: ["workflow", "call", "child", "reuse", "execute"],
    fields: {
      workflowId: { title: "Workflow", docs: "the id of the workflow", hint: "", widget: "workflow" },
      input: { title: "Input", docs: "the input of its run", widget: "expression" },
      version: {
        title: "Version",
        docs: 'a number or `"deployed"`. The default is the newest version; below a schedule or webhook, the deployed one',
      },
    },
    output: anything,
    waits: true,
    limits: { nesting: 10 },
    defaults: { workflowId: "", input: "{{ input }}" },
    examples: [
      {
        title: "Ship an order",
        data: { workflowId: EXAMPLE_ID.workflow, input: { order: "{{ input.order }}" } },
        input: { order: 7 },
        sample: { order: 7 },
      },
    ],
  },
};
