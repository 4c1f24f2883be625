import { Router } from "../../services/gateway/request/router.ts";

const router = new Router<string>();
router.add("GET", "/v1/things/:id", "one");
router.add("PATCH", "/v1/things/:id", "change");
router.add("POST", "/v1/things/import", "import");
router.add("GET", "/v1/things/:id/parts/:part", "part");
router.add("GET", "/v1/things", "all");

describe("the router", () => {
  it.each([
    ["GET", "/v1/things", "all", ["v1", "things"]],
    ["GET", "/v1/things/", "all", ["v1", "things"]],
    ["HEAD", "/v1/things/7", "one", ["v1", "things", "7"]],
    ["GET", "/v1/things/a%20b", "one", ["v1", "things", "a b"]],
    ["GET", "/v1/things/a%2Fb", "one", ["v1", "things", "a/b"]],
    ["POST", "/v1/things/import", "import", ["v1", "things", "import"]],
    ["GET", "/v1/things/import/parts/2", "part", ["v1", "things", "import", "parts", "2"]],
  ])("finds %s %s", (method, path, target, segments) => {
    expect(router.find(method, path)).toEqual({ target, segments });
  });

  it.each([
    "/",
    "",
    "/v1",
    "/v2/things",
    "/v1/things//",
    "/v1//things",
    "/v1/things/1/parts",
    "/v1/things/%zz",
    "*",
    "http://h/v1/things",
  ])("finds nothing at %s", path =>
    expect(() => router.find("GET", path)).toThrow(expect.objectContaining({ type: "not_found" })),
  );

  it.each([
    ["DELETE", "/v1/things/7", ["GET", "HEAD", "PATCH"]],
    ["GET", "/v1/things/import", ["POST"]],
    ["get", "/v1/things", ["GET", "HEAD"]],
  ])("knows which methods a path has: %s %s", (method, path, allow) => {
    const wrong = expect.objectContaining({ type: "method_not_allowed", data: { allow } }) as Error;
    expect(() => router.find(method, path)).toThrow(wrong);
  });
});
