import { type ApiShape, given, json, many, pageOf, ref, text, whole } from "./api-shape.ts";

/**
 * Schemas that refer to each other sixty levels deep and to themselves, and patches with their own types, like a
 * cluster.
 */
const cluster: ApiShape = {
  name: "cluster",
  operations: 80,
  document: at => {
    const DEPTH = 60;
    const level = (n: number) => ({
      ...{ type: "object", description: `Level ${n}` },
      properties: {
        name: text,
        next: ref(n < DEPTH ? `io.k.Level${n + 1}` : "io.k.Props"),
        self: { type: "array", items: ref(`io.k.Level${n}`) },
      },
    });
    const props = {
      type: "object",
      properties: {
        not: ref("io.k.Props"),
        items: { anyOf: [ref("io.k.Props"), { type: "array", items: ref("io.k.Props") }] },
      },
      additionalProperties: ref("io.k.Props"),
    };
    const paths = many(20, n => {
      const noun = ["pods", "services", "secrets", "nodes"][n % 4]! + (n < 4 ? "" : `v${n}`);
      const base = `/api/v1/namespaces/{namespace}/${noun}`;
      const own = (verb: string) => ({
        operationId: `${verb}CoreV1Namespaced_${noun}`,
        description: `${verb} ${noun} of a namespace`,
      });
      const namespace = given("namespace", "path", { ...text, uniqueItems: true });
      const object = { "*/*": { schema: ref("io.k.Level1") } };
      return [
        [
          base,
          {
            parameters: [namespace, given("limit", "query", whole), given("continue", "query", text)],
            get: own("list"),
            post: { ...own("create"), requestBody: { content: object, required: true } },
          },
        ],
        [
          `${base}/{name}`,
          {
            parameters: [namespace, given("name", "path", text)],
            patch: {
              ...own("patch"),
              requestBody: {
                required: true,
                content: { "application/yaml": {}, "application/merge-patch+json": { schema: ref("io.k.Level1") } },
              },
            },
            delete: { ...own("delete"), description: `Delete one of the ${noun}` },
          },
        ],
      ];
    }).flat();
    const levels = many(DEPTH, n => [`io.k.Level${n + 1}`, level(n + 1)]);
    return {
      ...{ openapi: "3.0.0", info: { title: "Cluster", version: "v1.33" }, servers: [{ url: at }] },
      paths: Object.fromEntries(paths) as object,
      components: { schemas: { ...(Object.fromEntries(levels) as object), "io.k.Props": props } },
    };
  },
  find: { query: "delete a node", operation: "deleteCoreV1Namespaced_nodes" },
  call: {
    operation: "patchCoreV1Namespaced_pods",
    arguments: {
      namespace: "prod",
      name: "web-1",
      body: { name: "a", next: { next: { next: { name: "deep" } } }, self: [{ self: [] }] },
    },
    sent: {
      ...{ method: "PATCH", url: "/api/v1/namespaces/prod/pods/web-1" },
      headers: { "content-type": "application/merge-patch+json" },
      body: { name: "a", next: { next: { next: { name: "deep" } } }, self: [{ self: [] }] },
    },
  },
  refused: { namespace: "prod", name: "web-1", body: { self: [{ name: 7 }] } },
  paging: {
    operation: "listCoreV1Namespaced_pods",
    arguments: { namespace: "prod", limit: 2 },
    path: "/api/v1/namespaces/prod/pods",
    pagination: {
      next: { query: { continue: "{{ response.body.metadata.continue }}" } },
      items: "{{ response.body.items }}",
    },
    answer: query => {
      const from = Number(query.get("continue") ?? 0);
      return { body: { items: pageOf(from), metadata: { continue: from < 4 ? `${from + 2}` : undefined } } };
    },
  },
};

/** Pages by offset and total, several ways to sign in, and bodies of any kind, like a task tracker. */
const tracker: ApiShape = {
  name: "tracker",
  operations: 60,
  document: at => {
    const value = {
      anyOf: [
        text,
        { type: "number" },
        { type: "array", items: {} },
        { type: "object", additionalProperties: true },
        { type: "null" },
      ],
    };
    const paths = many(20, n => {
      const noun = ["issue", "project", "board", "sprint"][n % 4]! + (n < 4 ? "" : `${n}`);
      const security = [{ oauth: ["read"] }, { basic: [] }, {}];
      return [
        [
          `/rest/api/3/${noun}`,
          {
            get: {
              operationId: `search_${noun}`,
              summary: `Find ${noun}s`,
              parameters: [
                given("startAt", "query", whole),
                given("fields", "query", { type: "array", items: text }, { style: "pipeDelimited", explode: false }),
              ],
              security,
            },
            post: {
              operationId: `create_${noun}`,
              summary: `Create ${noun}`,
              requestBody: json({
                type: "object",
                required: ["fields"],
                properties: { fields: { type: "object", additionalProperties: value } },
              }),
              security,
            },
          },
        ],
        [
          `/rest/api/3/${noun}/{idOrKey}/transitions`,
          {
            post: {
              operationId: `transition_${noun}`,
              summary: `Move the ${noun} to another state`,
              parameters: [given("idOrKey", "path", { oneOf: [whole, { ...text, pattern: "^[A-Z]+-\\d+$" }] })],
              security,
            },
          },
        ],
      ];
    }).flat();
    return {
      ...{ openapi: "3.1.0", info: { title: "Tracker", version: "1001.0.0" }, servers: [{ url: at }] },
      paths: Object.fromEntries(paths) as object,
      components: {
        securitySchemes: { basic: { type: "http", scheme: "basic" }, oauth: { type: "oauth2", flows: {} } },
      },
    };
  },
  find: { query: "move an issue to another state", operation: "transition_issue" },
  call: {
    operation: "create_issue",
    arguments: { body: { fields: { summary: "Broken", points: 3, labels: ["a"], parent: null } } },
    sent: {
      method: "POST",
      url: "/rest/api/3/issue",
      body: { fields: { summary: "Broken", points: 3, labels: ["a"], parent: null } },
    },
  },
  refused: { body: { fields: { done: true } } },
  paging: {
    operation: "search_issue",
    arguments: { fields: ["summary", "status"] },
    path: "/rest/api/3/issue",
    pagination: {
      next: {
        query: { startAt: "{{ response.body.startAt + 2 < response.body.total ? response.body.startAt + 2 : null }}" },
      },
      items: "{{ response.body.issues }}",
    },
    answer: query => {
      if (query.get("fields") !== "summary|status") throw new Error(`The fields are lost: ${String(query)}`);
      const startAt = Number(query.get("startAt") ?? 0);
      return { body: { startAt, total: 6, issues: pageOf(startAt) } };
    },
  },
};

/** Servers for paths, dates in field names, numbered pages until one is empty, like a telephone service. */
const telephony: ApiShape = {
  name: "telephony",
  operations: 60,
  document: at => {
    const paths = many(30, n => {
      const noun = ["Calls", "Messages", "Recordings"][n % 3]! + (n < 3 ? "" : `${n}`);
      const servers = [{ url: `${at}/tel`, description: "of this path" }];
      const form = {
        type: "object",
        properties: { To: { ...text, format: "phone-number" }, Body: text, MediaUrl: { type: "array", items: text } },
        required: ["To"],
      };
      return [
        `/2010-04-01/Accounts/{AccountSid}/${noun}.json`,
        {
          servers,
          parameters: [
            given("AccountSid", "path", { ...text, minLength: 4, maxLength: 4, pattern: "^AC[0-9a-f]{2}$" }),
          ],
          get: {
            operationId: `List${noun}`,
            description: `Retrieve ${noun} of an account`,
            parameters: [given("Page", "query", whole), given("DateSent<", "query", { ...text, format: "date" })],
          },
          post: {
            operationId: `Create${noun}`,
            description: noun.startsWith("Mess") ? "Send an SMS to a telephone number" : `Create ${noun}`,
            requestBody: { content: { "application/x-www-form-urlencoded": { schema: form } } },
          },
        },
      ];
    });
    return {
      openapi: "3.0.1",
      info: { title: "Telephony", version: "1.0.0" },
      servers: [{ url: "https://nowhere.invalid" }],
      paths: Object.fromEntries(paths) as object,
    };
  },
  find: { query: "send an SMS to a telephone number", operation: "CreateMessages" },
  call: {
    operation: "CreateMessages",
    arguments: { AccountSid: "AC0f", body: { To: "+49 30", MediaUrl: ["a", "b"] } },
    sent: {
      method: "POST",
      url: "/tel/2010-04-01/Accounts/AC0f/Messages.json",
      body: "To=%2B49+30&MediaUrl=a&MediaUrl=b",
    },
  },
  refused: { AccountSid: "../x", body: { To: "1" } },
  paging: {
    operation: "ListCalls",
    arguments: { AccountSid: "AC0f", "DateSent<": "2026-01-01" },
    path: "/tel/2010-04-01/Accounts/AC0f/Calls.json",
    pagination: {
      next: { query: { Page: "{{ response.page }}" } },
      until: "{{ $count(response.body.calls) = 0 }}",
      items: "{{ response.body.calls }}",
    },
    answer: query => {
      if (query.get("DateSent<") !== "2026-01-01") throw new Error(`The date is lost: ${String(query)}`);
      return { body: { calls: pageOf(Number(query.get("Page") ?? 0) * 2) } };
    },
  },
};

export const FURTHER_SHAPES: readonly ApiShape[] = [cluster, tracker, telephony];
