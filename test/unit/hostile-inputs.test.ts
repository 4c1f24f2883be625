import { isAllowedHost } from "../../core/credentials/allowed-host.ts";
import { toolText } from "../../core/mcp/tool-text.ts";
import { withinEventLimit } from "../../adapters/mcp/guarded-transport-fetch.ts";
import { EventLines } from "../../adapters/models/event-lines.ts";
import { jsonIn } from "../../adapters/models/json-answer.ts";
import { refusalText } from "../../adapters/models/refusal-text.ts";
import { createOutboundPolicy } from "../../adapters/net/outbound-policy.ts";
import { mysqlReader } from "../../adapters/sql/mysql-values.ts";
import { columnNames } from "../../adapters/sql/rows.ts";
import { errorCode } from "../../contracts/errors.ts";
import { readHost } from "../../contracts/credentials/hosts.ts";
import { parseForm } from "../../services/gateway/request/delivery.ts";
import { completeInput } from "../../services/gateway/request/input.ts";
import { secondsSince } from "../support/processor-time.ts";

/** Larger than the API accepts. */
const LARGE = 2_000_000;

/** Jest cannot interrupt a test without awaits. Each takes about a second, and minutes if its time grew with the square. */
const MAX_S = 20;
let began: NodeJS.CpuUsage;
beforeEach(() => void (began = process.cpuUsage()));
afterEach(() => expect(secondsSince(began)).toBeLessThan(MAX_S));

const codeOf = (act: () => unknown): string | undefined => {
  try {
    act();
  } catch (error) {
    return errorCode(error);
  }
  return undefined;
};

describe("a request", () => {
  const form = (text: string) => parseForm(Buffer.from(text));

  it("with a form of too many fields is refused before they are parsed", () => {
    expect(codeOf(() => form("a&".repeat(LARGE)))).toBe("validation_failed");
  });

  it("may have a form of 1,000 fields with empty ones between them", () => {
    expect(form("&".repeat(LARGE) + "a=1&&".repeat(1_000))).toEqual({ a: Array(1_000).fill("1") });
    expect(codeOf(() => form("a&".repeat(1_001)))).toBe("validation_failed");
    expect(form("")).toEqual({});
  });

  it("may name any number of members of an object in its query", () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `n${at}`);
    const plan = { query: new Map([["label", "members" as const]]), body: new Set<string>(), route: { headers: {} } };
    const search = [...names, "__proto__"].map(name => `label.${name}=v`).join("&");
    const { label } = completeInput({}, plan, { search, headers: {}, body: undefined });
    expect(Object.keys(label as object)).toEqual([...names, "__proto__"]);
  });
});

describe("an address with very many dots", () => {
  const host = `${".".repeat(250_000)}x`;

  it("is compared with the hosts that may be called", () => {
    const policy = createOutboundPolicy([]);
    expect(policy.refuseUrl(new URL(`http://${host}`))).toBeUndefined();
    expect(policy.refuseUrl(new URL("http://localhost.../"))).toMatchObject({ rule: "local_name" });
  });

  it("is compared with the hosts of a credential", () => {
    expect(isAllowedHost(["a.example"], new URL(`http://${host}`))).toBe(false);
    expect(isAllowedHost(["a.example"], new URL("http://a.example../"))).toBe(true);
    expect(readHost("a.example.")?.host).toBe("a.example");
  });
});

describe("the answer of a database", () => {
  it("may repeat the name of a column tens of thousands of times", () => {
    const names = columnNames([...Array<string>(40_000).fill("a"), "a_2", "b"]);
    expect(names.slice(0, 3)).toEqual(["a", "a_2", "a_3"]);
    expect(names.slice(-2)).toEqual(["a_2_2", "b"]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("may hold a BIT of megabytes, which stays bytes", () => {
    const read = mysqlReader([{ name: "a", columnType: 16 }]);
    expect(read([Buffer.from([1, 2])])).toEqual([258]);
    const bytes = Buffer.alloc(5_000_000, 255);
    expect(read([bytes])).toEqual([bytes.toString("base64")]);
  });
});

describe("the answer of a model", () => {
  it("may arrive in tiny chunks of one long line", () => {
    const seen: string[] = [];
    const lines = new EventLines(data => seen.push(data));
    const push = (text: string) => lines.push(Buffer.from(text));
    push(`data: ${"a".repeat(900_000)}`);
    for (let at = 0; at < 50_000; at++) push("b");
    push("\r");
    expect(seen).toEqual([]);
    push("\ndata: c\r");
    push("data: d\n");
    expect(seen.map(({ length }) => length)).toEqual([950_000, 1, 1]);
  });

  it("may begin very many objects that are not JSON", () => {
    expect(jsonIn(`${"[x".repeat(30)}${'"a"'.repeat(8 * LARGE)}${"]".repeat(30)}`)).toBeUndefined();
    expect(jsonIn('see [1] [2 and [3: {"a": 1}')).toEqual({ json: [1] });
  });

  it("may refuse with words of almost the length of a file", () => {
    expect(refusalText(`${"a".repeat(99)} `.repeat(3)).length).toBe(300);
    expect(refusalText(`see ${"a".repeat(100)}== there`)).toBe("see … there");
    expect(refusalText(`${`${"a".repeat(99)} `.repeat(LARGE / 5)}`).length).toBe(300);
  });
});

describe("a tool server", () => {
  it("may give a schema with very many arguments, of which the first ones are read", () => {
    let reads = 0;
    const inner = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`c${at}`, {}]));
    const outer = {
      get properties() {
        reads++;
        return inner;
      },
    };
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, outer]));
    const text = toolText({ name: "t", description: "", inputSchema: { properties } }, "s");
    expect(text.split("\n")[1]?.split(", ")).toHaveLength(100);
    expect(text).toContain("a0, c0, c1");
    // The getter is read several times for each object.
    expect(reads).toBeLessThan(10);
  });

  it("may send an event in tiny chunks, which are given line by line", async () => {
    const parts = [..."data: abc", "\ndata", ": d\r", "\n\nrest"].map(text => Buffer.from(text));
    const source = (async function* () {
      for (const part of parts) yield await Promise.resolve(part);
    })();
    const lines: string[] = [];
    for await (const chunk of withinEventLimit(source, 1_000)) lines.push(Buffer.from(chunk).toString());
    expect(lines).toEqual(["data: abc\n", "data: d\r", "\n\n", "rest"]);
  });
});
