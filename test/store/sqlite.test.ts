import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../adapters/store/open-store.ts";
import { describeStore } from "./conformance.ts";

const dataDir = mkdtempSync(join(tmpdir(), "weft-store-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describeStore("the embedded store", () => openStore({ dataDir, sync: "normal" }));
