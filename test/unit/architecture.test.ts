import { globSync, readFileSync } from "node:fs";
import { SERVICE_NAMES } from "../../config.ts";
import { breaches, type Files } from "../support/architecture.ts";

const found = (files: Files, names: string[] = ["a", "b"]) => breaches(files, names);

function project(): Files {
  const paths = globSync("**/*.{ts,tsx}", { exclude: ["node_modules", "data", "coverage", "dist"] });
  return Object.fromEntries(paths.map(path => [path.replaceAll("\\", "/"), readFileSync(path, "utf8")]));
}

describe("the architecture of the project", () => {
  it("breaks no rule", () => {
    const files = project();
    expect(Object.keys(files)).toEqual(expect.arrayContaining(["config.ts", "console/main.tsx"]));
    expect(breaches(files, SERVICE_NAMES)).toEqual([]);
  });
});

describe("the check of the architecture", () => {
  it.each([
    ["core/x.ts", 'import { y } from "../adapters/y.ts";', "core may not import adapters"],
    ["contracts/x.ts", 'import type { y } from "../core/y.ts";', "contracts may not import core"],
    ["contracts/x.ts", 'export { y } from "../core/y.ts";', "contracts may not import core"],
    ["core/x.ts", 'const y = await import("../services/a/y.ts");', "core may not import services"],
    ["adapters/x/y.ts", 'import "../../services/a/z.ts";', "adapters may not import services"],
    ["adapters/x.ts", 'import "../service-kit/z.ts";', "adapters may not import service-kit"],
    ["service-kit/x.ts", 'import "../services/a/z.ts";', "service-kit may not import services"],
    ["middlewares/x.ts", 'import "../adapters/z.ts";', "middlewares may not import adapters"],
    ["contracts/x.ts", 'import "../test/z.ts";', "contracts may not import test"],
    ["utils/x.ts", 'import "../core/z.ts";', "a layer that the rules do not know"],
  ])("rejects in %s: %s", (path, source, fault) => {
    expect(found({ [path]: source })).toEqual([expect.stringContaining(fault)]);
  });

  it("accepts imports in the allowed direction", () => {
    const services = {
      "services/a/a.service.ts": 'import "./x.ts"; import "../../service-kit/m.ts"; import "../../config.ts";',
      "services/a/x.ts": 'import "../../core/c.ts"; import "node:fs";',
    };
    const layers = {
      "core/c.ts": 'import "../contracts/c.ts"; import { inspect } from "node:util";',
      "adapters/a.ts": 'import "../core/c.ts"; Date.now();',
      "test/unit/t.test.ts": 'import "../../services/a/x.ts";',
    };
    expect(found({ ...services, ...layers })).toEqual([]);
  });

  it("rejects a service that imports another", () => {
    const files = {
      "services/a/a.service.ts": 'import "../b/model.ts";',
      "services/b/b.service.ts": "",
      "services/b/model.ts": "",
    };
    expect(found(files)).toEqual([
      "services/a/a.service.ts imports services/b/model.ts: a service may not import another",
    ]);
  });

  it.each([
    ["executions/store/x.ts", "../engine/y.ts", "store may not import engine"],
    ["executions/engine/steps/x.ts", "../../actions/y.ts", "engine may not import actions"],
    ["gateway/request/x.ts", "../access/y.ts", "request may not import access"],
    ["gateway/http/x.ts", "../pipeline.ts", "a layer may not import a file beside it"],
    ["gateway/utils/x.ts", "../http/y.ts", "a layer that the rules do not know"],
  ])("rejects in services/%s an import of %s", (path, target, fault) => {
    const files = { "services/executions/executions.service.ts": "", "services/gateway/gateway.service.ts": "" };
    const names = ["executions", "gateway"];
    expect(found({ ...files, [`services/${path}`]: `import "${target}";` }, names)).toEqual([
      expect.stringContaining(fault),
    ]);
  });

  it("rejects import circles of any length, also of types", () => {
    const circle = {
      "core/a.ts": 'import "./b.ts";',
      "core/b.ts": 'import "./c/c.ts";',
      "core/c/c.ts": 'import "../a.ts";',
    };
    expect(found(circle)).toEqual(["core/a.ts → core/b.ts → core/c/c.ts → core/a.ts is a circle"]);
    expect(found({ ...circle, "core/c/c.ts": 'import type { A } from "../a.ts";' })).toHaveLength(1);
    expect(found({ "core/a.ts": 'export * from "./a.ts";' })).toHaveLength(1);
  });

  it.each(['import fs from "node:fs";', 'import { v7 } from "uuid";', "const at = Date.now();", "process.env.A;"])(
    "rejects in core: %s",
    source => {
      expect(found({ "core/x.ts": source })).toEqual([expect.stringContaining("core is pure")]);
    },
  );

  it("rejects Mongoose outside of the MongoDB store, in tests too, except for its types", () => {
    const files = {
      "adapters/store/mongo/a.ts": 'import mongoose from "mongoose";',
      "adapters/store/b.ts": 'import type { Schema } from "mongoose"; import S from "mongoose/lib/schema.js";',
      "test/c.test.ts": 'const { Schema } = await import("mongoose");',
    };
    expect(found(files)).toEqual(["test/c.test.ts imports mongoose: only adapters/store/mongo loads Mongoose"]);
  });

  it("rejects modules that browsers lack in the SDK and its imports", () => {
    const files = {
      "sdk/a.ts":
        'import "../contracts/routes.ts"; import type { z } from "zod"; import type { B } from "../contracts/b.ts";',
      "contracts/routes.ts": 'export * from "./routes/c.ts";',
      "contracts/routes/c.ts": 'import "uuid";',
      "contracts/b.ts": 'import "zod";',
      "cli/d.ts": 'import "../sdk/a.ts"; import "node:fs";',
    };
    expect(found(files)).toEqual(["contracts/routes/c.ts imports uuid: the SDK runs in browsers"]);
    expect(found({ "sdk/a.ts": 'import "node:fs";' })).toHaveLength(1);
  });

  it.each([
    ["console/pages/a.tsx", 'import fs from "node:fs";', "the console runs in browsers"],
    ["console/pages/a.tsx", 'import { ROUTES } from "../../contracts/routes.ts";', "types alone"],
    ["console/pages/a.tsx", 'import { Weft } from "../../sdk/index.ts";', "only console/data"],
    ["console/pages/a.tsx", 'import { Dialog } from "@base-ui/react/dialog";', "only console/ui"],
    ["console/pages/a.tsx", 'import { x } from "../../core/x.ts";', "console may not import core"],
  ])("rejects in %s: %s", (path, source, fault) => {
    expect(found({ [path]: source })).toEqual([expect.stringContaining(fault)]);
  });

  it("lets the console import types, the SDK in data and Base UI in ui", () => {
    const files = {
      "console/pages/a.tsx":
        'import type { Run } from "../../contracts/entities/execution.ts"; import type { Weft } from "../../sdk/index.ts";' +
        " export const A = <T,>(x: T) => <p>{String(x)}</p>;",
      "console/data/b.ts": 'import { Weft } from "../../sdk/index.ts";',
      "console/ui/c.tsx": 'import { Dialog } from "@base-ui/react/dialog";',
    };
    expect(found(files)).toEqual([]);
  });

  it("rejects files that are too long", () => {
    const lines = (count: number) => "// line\n".repeat(count);
    expect(found({ "core/x.ts": lines(250), "test/x.ts": lines(400) })).toEqual([]);
    expect(found({ "core/x.ts": lines(251), "test/x.ts": lines(401) })).toHaveLength(2);
  });

  it("rejects a service folder without its service, or without its name in the list", () => {
    expect(found({ "services/a/x.ts": "" })).toEqual(["services/a has no a.service.ts"]);
    expect(found({ "services/c/c.service.ts": "" })).toEqual(["services/c is not one of config.ts's SERVICE_NAMES"]);
  });
});
