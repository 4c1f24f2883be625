import { type ApiShape, given, json, many, pageOf, ref, text, whole } from "./api-shape.ts";
import { FURTHER_SHAPES } from "./further-api-shapes.ts";
import { MORE_SHAPES } from "./more-api-shapes.ts";

const KINDS = (
  "plain signed archived protected shared hidden pinned nightly local remote global daily weekly draft stale urgent " +
  "nested linked mirrored frozen public private internal external default custom system legacy active idle manual " +
  "automatic scheduled pending rejected approved merged closed open starred"
).split(" ");
const NOUNS = ["branch", "label", "release", "milestone", "webhook", "runner", "secret", "package", "team", "comment"];

/** 400 resources with five operations each, linked pages and bodies with `oneOf`, like a host of source code. */
const codeHost: ApiShape = {
  name: "code host",
  operations: 2_000,
  document: at => {
    const common = [given("owner", "path", text), given("repo", "path", text)];
    const paths = many(400, n => {
      const noun = `${KINDS[Math.floor(n / NOUNS.length)]}-${NOUNS[n % NOUNS.length]}`;
      const base = `/repos/{owner}/{repo}/${noun}s`;
      const body = json({ oneOf: [ref("ByName"), ref("ById"), { type: "array", items: text }] });
      const of = (verb: string, what: string) => ({ operationId: `repos/${verb}-${noun}`, summary: what });
      return [
        [
          base,
          {
            parameters: common,
            get: { ...of("list", `List the ${noun}s of a repository`), parameters: [given("page", "query", whole)] },
            post: { ...of("create", `Create a ${noun} in a repository`), requestBody: body },
          },
        ],
        [
          `${base}/{number}`,
          {
            parameters: [...common, given("number", "path", whole)],
            get: of("get", `Read a ${noun} of a repository`),
            patch: { ...of("update", `Change a ${noun} of a repository`), requestBody: body },
            delete: of("delete", `Delete a ${noun} of a repository`),
          },
        ],
      ];
    }).flat();
    return {
      ...{ openapi: "3.1.0", info: { title: "Code host", version: "1" }, servers: [{ url: `${at}/code` }] },
      paths: Object.fromEntries(paths) as object,
      components: {
        schemas: {
          ByName: {
            type: "object",
            required: ["name"],
            properties: { name: text, color: { type: ["string", "null"] } },
          },
          ById: { type: "object", required: ["id"], properties: { id: whole }, additionalProperties: false },
        },
      },
    };
  },
  find: { query: "make a new signed release", operation: "repos_create-signed-release" },
  call: {
    operation: "repos_create-plain-label",
    arguments: { owner: "ada", repo: "engine", body: { name: "bug", color: null } },
    sent: { method: "POST", url: "/code/repos/ada/engine/plain-labels", body: { name: "bug", color: null } },
  },
  refused: { owner: "ada", repo: "engine", body: { color: "red" } },
  paging: {
    operation: "repos_list-plain-branch",
    arguments: { owner: "ada", repo: "engine" },
    path: "/code/repos/ada/engine/plain-branchs",
    pagination: { next: "link", items: "{{ response.body }}" },
    answer: (query, at) => {
      const page = Number(query.get("page") ?? 1);
      const next = `<${at}/code/repos/ada/engine/plain-branchs?page=${page + 1}>; rel="next"`;
      return { body: pageOf((page - 1) * 2), ...(page < 3 && { headers: { link: next } }) };
    },
  },
};

const OBJECTS = (
  "charge refund invoice payout dispute balance card coupon plan price product quote report review source subscription " +
  "topup transfer token mandate"
).split(" ");

/** Forms with fields in brackets, expandable lists, and a cursor that is the last id, like a payment service. */
const payments: ApiShape = {
  name: "payments",
  operations: 60,
  document: at => {
    const form = (properties: object, required: string[], encoding: object) => ({
      required: true,
      content: { "application/x-www-form-urlencoded": { schema: { type: "object", properties, required }, encoding } },
    });
    const deep = { style: "deepObject", explode: true };
    const range = { anyOf: [{ type: "object", properties: { gt: whole, lt: whole } }, whole] };
    const line = { type: "object", properties: { price: text, quantity: whole }, required: ["price"] };
    const fields = {
      ...{ customer: text, amount: whole, description: text, expand: { type: "array", items: text } },
      metadata: { type: "object", additionalProperties: text },
      items: { type: "array", items: line },
    };
    const paths = many(20, n => {
      const noun = OBJECTS[n]!;
      return [
        [
          `/v1/${noun}s`,
          {
            get: {
              operationId: `List_${noun}s`,
              description: `<p>Returns ${noun}s, the newest first.</p>`,
              parameters: [
                given("created", "query", range, deep),
                given("starting_after", "query", text),
                given("expand", "query", { type: "array", items: text }, deep),
              ],
            },
            post: {
              operationId: `Create_${noun}`,
              description: `<p>Creates a ${noun} for a customer.</p>`,
              requestBody: form(fields, ["amount"], { metadata: deep, items: deep, expand: deep }),
            },
          },
        ],
        [`/v1/${noun}s/{id}`, { get: { operationId: `Get_${noun}`, parameters: [given("id", "path", text)] } }],
      ];
    }).flat();
    return {
      ...{ openapi: "3.0.0", info: { title: "Payments", version: "2026-01-01" }, servers: [{ url: `${at}/pay/` }] },
      paths: Object.fromEntries(paths) as object,
    };
  },
  find: { query: "give money back to a customer: create a refund", operation: "Create_refund" },
  call: {
    operation: "Create_invoice",
    arguments: {
      body: {
        amount: 5,
        metadata: { order: "7", "a b": "c" },
        items: [{ price: "p1", quantity: 2 }],
        expand: ["customer"],
      },
    },
    sent: {
      ...{ method: "POST", url: "/pay/v1/invoices" },
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body:
        "amount=5&metadata%5Border%5D=7&metadata%5Ba+b%5D=c&items%5B0%5D%5Bprice%5D=p1" +
        "&items%5B0%5D%5Bquantity%5D=2&expand%5B0%5D=customer",
    },
  },
  refused: { body: { amount: "five" } },
  paging: {
    operation: "List_charges",
    arguments: { created: { gt: 10 } },
    path: "/pay/v1/charges",
    pagination: {
      next: { query: { starting_after: "{{ response.body.has_more ? response.body.data[-1].n : null }}" } },
      items: "{{ response.body.data }}",
    },
    answer: query => {
      if (query.get("created[gt]") !== "10") throw new Error(`The filter is lost: ${String(query)}`);
      const after = Number(query.get("starting_after") ?? 0);
      return { body: { data: pageOf(after), has_more: after < 4 } };
    },
  },
};

/** Parameters that all paths share by reference, page tokens, and bytes in base64, like a mail service. */
const mailbox: ApiShape = {
  name: "mailbox",
  operations: 63,
  document: at => {
    const shared = ["alt", "fields", "key", "prettyPrint"].map(name => ({ $ref: `#/components/parameters/${name}` }));
    const paths = many(21, n => {
      const noun = ["messages", "threads", "drafts", "labels", "filters", "delegates", "history"][n % 7]!;
      const box = ["a mailbox", "a shared mailbox", "an archive"][Math.floor(n / 7)]!;
      const path = `/v${1 + Math.floor(n / 7)}/users/{userId}/${noun}`;
      const id = `mail.users.${noun}${n < 7 ? "" : `.v${n}`}`;
      const parameters = [...shared, given("userId", "path", text)];
      const list = [given("pageToken", "query", text), given("labelIds", "query", { type: "array", items: text })];
      return [
        [
          path,
          {
            parameters,
            get: { operationId: `${id}.list`, description: `Lists the ${noun} of ${box}.`, parameters: list },
          },
        ],
        [
          `${path}/{id}:send`,
          {
            parameters: [...parameters, given("id", "path", text)],
            post: {
              operationId: `${id}.send`,
              description: `Sends one of the ${noun} of ${box}.`,
              requestBody: json(ref("Message"), false),
            },
            put: {
              operationId: `${id}.replace`,
              description: `Replaces one of the ${noun} of ${box}.`,
              requestBody: json(ref("Message")),
            },
          },
        ],
      ];
    }).flat();
    const part = { type: "object", properties: { filename: text, parts: { type: "array", items: ref("Part") } } };
    return {
      ...{ openapi: "3.0.3", info: { title: "Mail", version: "v1" }, servers: [{ url: `${at}/mail` }] },
      paths: Object.fromEntries(paths) as object,
      components: {
        parameters: Object.fromEntries(
          ["alt", "fields", "key", "prettyPrint"].map(name => [name, given(name, "query", text)]),
        ) as object,
        schemas: {
          Message: { type: "object", properties: { raw: { type: "string", format: "byte" }, payload: ref("Part") } },
          Part: part,
        },
      },
    };
  },
  find: { query: "send a draft of a shared mailbox", operation: "mail.users.drafts.v9.send" },
  call: {
    operation: "mail.users.messages.list",
    arguments: { userId: "me@example.com", labelIds: ["IN BOX", "NEW"], fields: "a,b" },
    sent: { method: "GET", url: "/mail/v1/users/me%40example.com/messages?fields=a%2Cb&labelIds=IN+BOX&labelIds=NEW" },
  },
  refused: { userId: "me", labelIds: "INBOX" },
  paging: {
    operation: "mail.users.threads.list",
    arguments: { userId: "me" },
    path: "/mail/v1/users/me/threads",
    pagination: {
      next: { query: { pageToken: "{{ response.body.nextPageToken }}" } },
      items: "{{ response.body.threads }}",
    },
    answer: query => {
      const from = Number(query.get("pageToken") ?? 0);
      return { body: { threads: pageOf(from), ...(from < 4 && { nextPageToken: `${from + 2}` }) } };
    },
  },
};

/** Objects of several kinds with a discriminator, filters in bodies, and a nested cursor, like a customer database. */
const customers: ApiShape = {
  name: "customers",
  operations: 64,
  document: at => {
    const kinds = ["Contact", "Company", "Deal", "Ticket"];
    const paths = many(16, n => {
      const noun = kinds[n % 4]!.toLowerCase() + (n < 4 ? "" : `s-v${n}`);
      const base = `/crm/v3/objects/${noun}`;
      const page = [given("limit", "query", { ...whole, maximum: 100 }), given("after", "query", text)];
      return [
        [
          base,
          {
            get: { operationId: `get-${base}_getPage`, summary: `List all of the kind ${noun}`, parameters: page },
            post: { operationId: `post-${base}_create`, summary: `Create a ${noun}`, requestBody: json(ref("Input")) },
          },
        ],
        [
          `${base}/search`,
          {
            post: {
              operationId: `post-${base}_search`,
              summary: `Search ${noun} by filters`,
              requestBody: json(ref("Search")),
            },
          },
        ],
        [`${base}/{id}`, { delete: { summary: `Archive a ${noun}`, parameters: [given("id", "path", text)] } }],
      ];
    }).flat();
    const own = (kind: string) => ({
      allOf: [
        ref("Base"),
        {
          type: "object",
          required: ["properties"],
          properties: { kind: { const: kind }, properties: { type: "object" } },
        },
      ],
    });
    const filter = {
      type: "object",
      required: ["operator"],
      properties: { operator: { enum: ["EQ", "IN"] }, value: {} },
    };
    return {
      ...{ openapi: "3.1.0", info: { title: "Customers", version: "v3" }, servers: [{ url: at }] },
      paths: Object.fromEntries(paths) as object,
      components: {
        schemas: {
          Base: { type: "object", required: ["kind"], properties: { kind: text, id: { ...text, readOnly: true } } },
          Input: { oneOf: kinds.map(ref), discriminator: { propertyName: "kind" } },
          ...(Object.fromEntries(kinds.map(kind => [kind, own(kind)])) as object),
          Search: {
            ...{ type: "object", required: ["filterGroups"] },
            properties: { filterGroups: { type: "array", items: { type: "array", items: filter }, maxItems: 5 } },
          },
        },
      },
    };
  },
  find: { query: "search deals by filters", operation: "post-_crm_v3_objects_deal_search" },
  call: {
    operation: "post-_crm_v3_objects_contact_create",
    arguments: { body: { kind: "Contact", properties: { email: "ada@example.com" } } },
    sent: {
      ...{ method: "POST", url: "/crm/v3/objects/contact" },
      body: { kind: "Contact", properties: { email: "ada@example.com" } },
    },
  },
  refused: { body: { kind: "Nobody", properties: {} } },
  paging: {
    operation: "get-_crm_v3_objects_deal_getPage",
    arguments: { limit: 2 },
    path: "/crm/v3/objects/deal",
    pagination: {
      next: { query: { after: "{{ response.body.paging.next.after }}" } },
      items: "{{ response.body.results }}",
    },
    answer: query => {
      const from = Number(query.get("after") ?? 0);
      return { body: { results: pageOf(from), ...(from < 4 && { paging: { next: { after: `${from + 2}` } } }) } };
    },
  },
};

export const API_SHAPES: readonly ApiShape[] = [
  codeHost,
  payments,
  mailbox,
  customers,
  ...MORE_SHAPES,
  ...FURTHER_SHAPES,
];
