import { stringify } from "yaml";
import { type ApiShape, given, json, many, pageOf, ref, text, whole } from "./api-shape.ts";

/**
 * Parameters with `$` in their names, functions and keys in paths, absolute addresses of pages, like office software.
 */
const office: ApiShape = {
  name: "office",
  operations: 60,
  document: at => {
    const paths = many(20, n => {
      const noun = ["messages", "events", "contacts", "drives", "groups"][n % 5]! + (n < 5 ? "" : `-${n}`);
      const user = given("user-id", "path", text);
      const query = [
        given("$top", "query", whole),
        given("$filter", "query", text),
        given("$select", "query", { type: "array", items: { enum: ["id", "subject"] } }, { explode: false }),
      ];
      return [
        [
          `/users/{user-id}/${noun}`,
          {
            parameters: [user],
            get: { operationId: `users.List.${noun}`, summary: `List ${noun} of a user`, parameters: query },
          },
        ],
        [
          `/users/{user-id}/${noun}/office.delta(token='{token}')`,
          {
            parameters: [user, given("token", "path", text)],
            get: { operationId: `users.${noun}.delta`, summary: `List what changed among the ${noun}` },
          },
        ],
        [
          `/users('{user-id}')/${noun}/$count`,
          {
            parameters: [user, given("ConsistencyLevel", "header", text)],
            get: { operationId: `users.${noun}.count`, summary: `Count the ${noun}` },
          },
        ],
      ];
    }).flat();
    return {
      openapi: "3.0.1",
      info: { title: "Office", version: "v1.0" },
      servers: [{ url: `${at}/office/v1.0` }],
      paths: Object.fromEntries(paths) as object,
    };
  },
  find: { query: "which events changed since the last time", operation: "users.events.delta" },
  call: {
    operation: "users.messages.count",
    arguments: { "user-id": "o'hara", ConsistencyLevel: "eventual" },
    sent: {
      method: "GET",
      url: "/office/v1.0/users('o'hara')/messages/$count",
      headers: { consistencylevel: "eventual" },
    },
  },
  refused: { "user-id": "ada", $top: 1 },
  paging: {
    operation: "users.List.messages",
    arguments: { "user-id": "ada", $top: 2, $filter: "from eq 'bob'", $select: ["id", "subject"] },
    path: "/office/v1.0/users/ada/messages",
    pagination: { next: { url: "{{ response.body.'@odata.nextLink' }}" }, items: "{{ response.body.value }}" },
    answer: (query, at) => {
      const from = Number(query.get("$skip") ?? 0);
      if (from === 0 && query.get("$select") !== "id,subject")
        throw new Error(`The selection is lost: ${String(query)}`);
      const next = `${at}/office/v1.0/users/ada/messages?$skip=${from + 2}`;
      return { body: { value: pageOf(from), ...(from < 4 && { "@odata.nextLink": next }) } };
    },
  },
};

/** Methods with dots, plain forms, and an empty cursor at the end, like a chat. */
const chat: ApiShape = {
  name: "chat",
  operations: 60,
  document: at => {
    const verbs = ["chat.postMessage", "conversations.list", "users.info", "reactions.add", "files.delete"];
    const paths = many(60, n => {
      const name = verbs[n % 5]! + (n < 5 ? "" : `.v${n}`);
      const words = {
        "chat.postMessage": "Sends a message to a channel",
        "reactions.add": "Adds an emoji to a message",
      };
      const form = {
        type: "object",
        properties: { channel: text, text, unfurl: { type: "boolean" }, users: { type: "array", items: text } },
        required: ["channel"],
      };
      const post = {
        requestBody: { content: { "application/x-www-form-urlencoded": { schema: form } }, required: true },
      };
      const get = { parameters: [given("cursor", "query", text), given("limit", "query", whole)] };
      const own = {
        operationId: name.replaceAll(".", "_"),
        description: words[verbs[n % 5] as keyof typeof words] ?? `Calls ${name}`,
      };
      return [`/${name}`, n % 5 === 1 || n % 5 === 2 ? { get: { ...own, ...get } } : { post: { ...own, ...post } }];
    });
    return {
      ...{
        openapi: "3.0.0",
        info: { title: "Chat", version: "1" },
        servers: [{ url: "{address}/api", variables: { address: { default: `${at}` } } }],
      },
      paths: Object.fromEntries(paths) as object,
    };
  },
  find: { query: "write a message into a channel", operation: "chat_postMessage" },
  call: {
    operation: "chat_postMessage",
    arguments: { body: { channel: "C1", text: "Hello & goodbye", unfurl: false, users: ["a", "b"] } },
    sent: {
      method: "POST",
      url: "/api/chat.postMessage",
      body: "channel=C1&text=Hello+%26+goodbye&unfurl=false&users=a&users=b",
    },
  },
  refused: { body: { text: "nowhere" } },
  paging: {
    operation: "conversations_list",
    path: "/api/conversations.list",
    pagination: {
      next: { query: { cursor: "{{ response.body.response_metadata.next_cursor }}" } },
      items: "{{ response.body.channels }}",
    },
    answer: query => {
      const from = Number(query.get("cursor") ?? 0);
      return { body: { channels: pageOf(from), response_metadata: { next_cursor: from < 4 ? `${from + 2}` : "" } } };
    },
  },
};

/** OpenAPI 3.0 as YAML with `nullable`, merged keys, and paths that end in a suffix, like a shop. */
const shop: ApiShape = {
  name: "shop",
  operations: 60,
  document: at => {
    const paths = many(30, n => {
      const noun = ["product", "order", "customer"][n % 3]! + (n < 3 ? "" : `_${n}`);
      return [
        `/admin/${noun}s.json`,
        {
          get: {
            operationId: `list_${noun}s`,
            summary: `Retrieve a list of ${noun}s`,
            parameters: [given("page_info", "query", text)],
          },
          post: {
            operationId: `create_${noun}`,
            summary: `Create a ${noun}`,
            requestBody: { $ref: "#/components/requestBodies/Any" },
          },
        },
      ];
    });
    return stringify({
      ...{
        openapi: "3.0.2",
        info: { title: "Shop", version: "2026-07", description: "Two lines:\nof text" },
        servers: [{ url: `${at}/shop` }],
      },
      paths: Object.fromEntries(paths) as object,
      components: {
        requestBodies: { Any: json(ref("Thing")) },
        schemas: {
          Thing: {
            type: "object",
            required: ["title"],
            properties: {
              title: { type: "string", nullable: true },
              price: { type: "number", minimum: 0, exclusiveMinimum: true },
            },
          },
        },
      },
    });
  },
  find: { query: "add a new product", operation: "create_product" },
  call: {
    operation: "create_order",
    arguments: { body: { title: null, price: 0.5 } },
    sent: { method: "POST", url: "/shop/admin/orders.json", body: { title: null, price: 0.5 } },
  },
  refused: { body: { title: "free", price: 0 } },
  paging: {
    operation: "list_products",
    path: "/shop/admin/products.json",
    pagination: {
      next: { query: { page_info: "{{ response.body.next ? $url(response.body.next).query.page_info : null }}" } },
      items: "{{ response.body.products }}",
    },
    answer: query => {
      const from = Number(query.get("page_info") ?? 0);
      return {
        body: { products: pageOf(from), next: from < 4 ? `https://shop.example/?page_info=${from + 2}` : null },
      };
    },
  },
};

export const MORE_SHAPES: readonly ApiShape[] = [office, chat, shop];
