import { itemsOf, nextLink, nextPage } from "../../core/run/pages.ts";

describe("the next page in a Link header", () => {
  it.each([
    ['<https://api.example.com/items?page=2>; rel="next"', "https://api.example.com/items?page=2"],
    ['<https://a/?page=1>; rel="prev", <https://a/?page=3>; rel="next"', "https://a/?page=3"],
    ["</items?page=2>; rel=next", "/items?page=2"],
    ['<?page=2>; title="a, <b>; rel=\\"next\\""; rel="next last"', "?page=2"],
    ['<?a=1,2;3>; REL="Next"', "?a=1,2;3"],
    ['<?page=1>; rel="first"; rel="next", <?page=5>; rel="last"', undefined],
    ['<?page=1>; title="rel=next"', undefined],
    ["not a link", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%s", (header, next) => {
    expect(nextLink(header)).toBe(next);
  });
});

describe("the address of the next page", () => {
  const at = { url: "https://api.example.com/v1/items?page=1", headers: { link: '<?page=2>; rel="next"' } };

  it.each([
    ["link" as const, { url: "https://api.example.com/v1/items?page=2" }],
    [{ url: "/v1/items?cursor=a" }, { url: "https://api.example.com/v1/items?cursor=a" }],
    [{ url: "https://other.example.com/2" }, { url: "https://other.example.com/2" }],
    [{ url: null }, null],
    [{ url: "" }, null],
    [{ url: false }, null],
    [{ query: { cursor: "a", page: null } }, { query: { cursor: "a", page: null } }],
    [{ query: { page: 0 } }, { query: { page: 0 } }],
    [{ query: { cursor: null } }, null],
    [{ query: { cursor: "" } }, null],
    [{ query: {} }, null],
  ])("%j", (rule, next) => {
    expect(nextPage(rule, at)).toEqual(next);
  });

  it("is undefined without a link, and rejected if it is not an address", () => {
    expect(nextPage("link", { ...at, headers: {} })).toBeNull();
    expect(() => nextPage({ url: "http://" }, at)).toThrow(TypeError);
    expect(() => nextPage({ url: { a: 1 } }, at)).toThrow(TypeError);
  });
});

it("follows pages whose items are a list, a single item or missing", () => {
  expect([itemsOf([1, 2]), itemsOf({ a: 1 }), itemsOf(0), itemsOf(null), itemsOf(undefined)]).toEqual([
    [1, 2],
    [{ a: 1 }],
    [0],
    [],
    [],
  ]);
});
