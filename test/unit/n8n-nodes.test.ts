import type { Json } from "../support/api.ts";
import { chain, imported, last, node, set } from "../support/n8n.ts";

describe("a node", () => {
  it.each<[string, Json[], Json]>([
    ["a manual trigger", [], { type: "trigger" }],
    [
      "Set, with dots in a name",
      [
        node(
          "set",
          { assignments: { assignments: [{ name: "a.b", value: "1", type: "number" }] } },
          { typeVersion: 3.4 },
        ),
      ],
      { type: "transform", data: { value: { a: { b: 1 } } } },
    ],
    [
      "Set of version 3.0",
      [
        node(
          "set",
          { fields: { values: [{ name: "a", type: "numberValue", numberValue: "={{ $json.n }}" }] }, include: "none" },
          { typeVersion: 3 },
        ),
      ],
      { data: { value: { a: "{{ input.n }}" } } },
    ],
    [
      "Set that keeps the rest",
      [node("set", { values: { string: [{ name: "a", value: "x" }] } })],
      { data: { value: '{{ $merge([input, {"a": "x"}]) }}' } },
    ],
    ["No Operation", [node("noOp")], { type: "transform", data: { value: "{{ input }}" } }],
    [
      "a plain call",
      [node("httpRequest", { url: "https://example.com/{{ x }}" }, { typeVersion: 4 })],
      { type: "http", data: { method: "GET", url: 'https://example.com/{{ "{{" }} x }}' } },
    ],
    [
      "pages by their number",
      [
        node(
          "httpRequest",
          {
            url: "u",
            options: {
              pagination: {
                pagination: {
                  paginationMode: "updateAParameterInEachRequest",
                  parameters: {
                    parameters: [
                      { type: "qs", name: "page", value: "={{ $pageCount + 1 }}" },
                      { type: "qs", name: "cursor", value: "={{ $response.body.next }}" },
                    ],
                  },
                  paginationCompleteWhen: "receiveSpecificStatusCodes",
                  statusCodesWhenComplete: "404,410",
                  limitPagesFetched: true,
                  maxRequests: 20,
                  requestInterval: 250,
                },
              },
            },
          },
          { typeVersion: 4 },
        ),
      ],
      {
        data: {
          query: { page: "{{ 0 + 1 }}", cursor: null },
          failOnStatus: false,
          pagination: {
            next: { query: { page: "{{ response.page + 1 }}", cursor: "{{ response.body.next }}" } },
            items: "{{ (response.status in [404,410]) ? [] : response.body }}",
            until: "{{ response.status in [404,410] }}",
            maxPages: 20,
            delayMs: 250,
          },
        },
      },
    ],
    [
      "pages by the address of the next one",
      [
        node(
          "httpRequest",
          {
            url: "u",
            options: {
              pagination: {
                pagination: {
                  paginationMode: "responseContainsNextURL",
                  nextURL: "={{ $response.body['next'] }}",
                  paginationCompleteWhen: "other",
                  completeExpression: "={{ $response.body.last === true }}",
                },
              },
            },
          },
          { typeVersion: 4 },
        ),
      ],
      {
        data: {
          pagination: {
            next: { url: "{{ response.body.next }}" },
            items: "{{ response.body }}",
            until: "{{ response.body.last = true }}",
            maxPages: 10_000,
          },
        },
      },
    ],
    [
      "a form",
      [
        node(
          "httpRequest",
          {
            method: "POST",
            url: "u",
            sendBody: true,
            contentType: "form-urlencoded",
            bodyParameters: {
              parameters: [
                { name: "a b", value: "c&d" },
                { name: "e", value: "={{ $json.f }}" },
              ],
            },
          },
          { typeVersion: 4 },
        ),
      ],
      {
        data: {
          body: "a%20b=c%26d&e={{ $encodeUrlComponent($string(input.f)) }}",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        },
      },
    ],
    [
      "raw text",
      [
        node(
          "httpRequest",
          {
            method: "PUT",
            url: "u",
            sendBody: true,
            contentType: "raw",
            rawContentType: "text/csv",
            body: "=a;{{ $json.b }}",
          },
          { typeVersion: 4 },
        ),
      ],
      { data: { body: "a;{{ input.b }}", headers: { "content-type": "text/csv" } } },
    ],
    [
      "JSON headers and query",
      [
        node(
          "httpRequest",
          {
            url: "u",
            sendHeaders: true,
            specifyHeaders: "json",
            jsonHeaders: '{"x-a": "1"}',
            sendQuery: true,
            specifyQuery: "json",
            jsonQuery: '{"q": 2}',
          },
          { typeVersion: 4 },
        ),
      ],
      { data: { headers: { "x-a": "1" }, query: { q: 2 } } },
    ],
    ["Wait in hours", [node("wait", { amount: 2, unit: "hours" })], { type: "delay", data: { ms: 7_200_000 } }],
    [
      "Wait as long as told",
      [node("wait", { amount: "={{ $json.n }}", unit: "minutes" }, { typeVersion: 1.1 })],
      { data: { ms: "{{ input.n * 60000 }}" } },
    ],
    [
      "Wait until a time",
      [node("wait", { resume: "specificTime", dateTime: "2030-01-01T00:00:00Z" })],
      { data: { until: "2030-01-01T00:00:00Z" } },
    ],
    [
      "Stop and Error with an object",
      [node("stopAndError", { errorType: "errorObject", errorObject: '{"code": 5}' })],
      { type: "fail", data: { message: '{"code": 5}' } },
    ],
    [
      "Respond with text",
      [node("respondToWebhook", { respondWith: "text", responseBody: "=Hi {{ $json.n }}" })],
      { type: "respond", data: { body: "Hi {{ input.n }}" } },
    ],
    ["Respond with nothing", [node("respondToWebhook", { respondWith: "noData" })], { data: { body: null } }],
    [
      "a Switch by number",
      [node("switch", { mode: "expression", numberOutputs: 2, output: "={{ $json.n }}" }, { typeVersion: 3 })],
      {
        type: "switch",
        data: {
          value: "{{ input.n }}",
          cases: [
            { id: "0", equals: 0 },
            { id: "1", equals: 1 },
          ],
        },
      },
    ],
    [
      "Filter",
      [
        node(
          "filter",
          {
            conditions: {
              options: {},
              conditions: [
                { leftValue: "={{ $json.n }}", rightValue: "", operator: { type: "string", operation: "exists" } },
              ],
            },
          },
          { typeVersion: 2 },
        ),
      ],
      { type: "condition", data: { if: "{{ $exists(input.n) and input.n != null }}" } },
    ],
    [
      "a disabled node",
      [node("slack", { text: "={{ $json.x }}" }, { disabled: true })],
      {
        type: "transform",
        data: { value: "{{ input }}" },
        original: { type: "n8n-nodes-base.slack", parameters: { text: "={{ $json.x }}" } },
      },
    ],
    [
      "tries",
      [node("httpRequest", { url: "u" }, { typeVersion: 4, retryOnFail: true, maxTries: 5, waitBetweenTries: 0 })],
      { policy: { retry: { maxAttempts: 5, backoff: "fixed", initialMs: 0, jitter: 0 } } },
    ],
    [
      "what goes on after an error",
      [node("httpRequest", { url: "u" }, { typeVersion: 4, onError: "continueRegularOutput" })],
      { policy: { onError: "continue" } },
    ],
  ])("becomes a step: %s", (_, list, wanted) => expect(last(...list)).toMatchObject(wanted));

  it("reads the parts of a call at their new places after a webhook", () => {
    const after = (one: Json) => {
      const nodes = imported(chain(node("webhook", { httpMethod: "GET" }), one)).definition.nodes;
      return nodes.at(-1)!;
    };
    const parts = "={{ $json.body.a }} {{ $json.headers['x-b'] }} {{ $json.query.c }}";
    expect(after(set(parts)).data.value.a).toBe("{{ input.a }} {{ trigger.headers.`x-b` }} {{ trigger.query.c }}");
    expect(after(set("={{ $json.params.id }}")).data.note).toContain("`params`");
    const code = (jsCode: string) => node("code", { jsCode }, { typeVersion: 2 });
    expect(after(code("return [{ json: { a: $json.body.a } }]")).type).toBe("code");
    expect(after(code("return [{ json: $json.headers }]")).data.note).toContain("`headers`");
  });

  it("with code may mention forbidden objects in comments, texts and regular expressions", () => {
    const code = "/* no fetch */ const text = 'await a ' + `$env ${1}`; // require\nreturn /DateTime/.test(text);";
    const parsed = last(node("code", { jsCode: code }, { typeVersion: 2 }));
    expect(parsed.type).toBe("code");
    expect(parsed.data.code).toContain(code);
  });

  it("is kept if n8n would run it for each of several items, unless it accepts a list", () => {
    const split = node("splitOut", { fieldToSplitOut: "list" });
    expect(last(split, set("={{ $json.x }}")).data.note).toContain("several items");
    expect(last(split, node("code", { jsCode: "return items" }, { typeVersion: 2 })).type).toBe("code");
  });

  it.each<[Json, string[] | null]>([
    [{ field: "minutes", minutesInterval: 15 }, ["*/15 * * * *"]],
    [{ field: "minutes", minutesInterval: 7 }, null],
    [{ field: "hours", hoursInterval: 6, triggerAtMinute: 5 }, ["5 */6 * * *"]],
    [{}, ["0 0 * * *"]],
    [{ field: "weeks", triggerAtDay: [1, 5], triggerAtHour: 9 }, ["0 9 * * 1,5"]],
    [{ field: "months", triggerAtDayOfMonth: 3, triggerAtHour: 4 }, ["0 4 3 * *"]],
    [{ field: "cronExpression", expression: "0 10 * * 1" }, ["0 10 * * 1"]],
    [{ field: "cronExpression", expression: "0 10 2 * * 1" }, ["10 2 * * 1"]],
    [{ field: "cronExpression", expression: "*/5 10 2 * * 1" }, null],
    [{ field: "seconds", secondsInterval: 30 }, null],
  ])("with the schedule %j becomes %j", (interval, crons) => {
    const { definition, warnings } = imported(chain(node("scheduleTrigger", { rule: { interval: [interval] } })));
    expect(definition.nodes[0]!.data).toEqual({});
    const told = crons?.map(cron => `\`${cron}\``).join(" and ") ?? "the times that it had";
    expect(warnings.map(({ message }) => message).join()).toContain(`Create a schedule for this workflow at ${told}.`);
  });

  it("gets an id that expressions can use, and all ids differ", () => {
    const names = ["HTTP Request", "http-request", "and", "Über 1", "…", "9 lives", "step"];
    const { definition } = imported({ nodes: names.map(name => ({ ...node("noOp"), name })), connections: {} });
    const ids = definition.nodes.map(({ id }) => id);
    expect(ids).toEqual(["http_request", "http_request_2", "step_and", "uber_1", "step", "step_9_lives", "step_2"]);
  });
});
