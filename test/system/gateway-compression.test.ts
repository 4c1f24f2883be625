import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { type Api, newWorkspace } from "../support/api.ts";
import { sharedServer } from "../support/shared.ts";

let api: Api;
let space: string;
beforeAll(async () => void ({ api, space } = await newWorkspace((await sharedServer()).url)));

/** An answer as it comes over the network. */
async function raw(path: string, accepts: string | undefined, method: "GET" | "POST" = "GET", body?: string) {
  const answer = await request(api.url + path, {
    method,
    headers: {
      authorization: `Bearer ${api.token}`,
      ...(accepts !== undefined && { "accept-encoding": accepts }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body }),
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const { "content-encoding": coding, vary, "content-length": length } = answer.headers;
  expect(Number(length)).toBe(bytes.length);
  return { bytes, coding, vary: [vary].flat().join(", "), status: answer.statusCode };
}

test("compresses large answers to reads for clients that accept it, with a Vary header", async () => {
  const plain = await raw("/v1/node-types", undefined);
  expect(plain).toMatchObject({ coding: undefined, status: 200 });
  expect(plain.bytes.length).toBeGreaterThan(20_000);
  for (const accepts of ["gzip", "br, gzip;q=0.5", "deflate,GZIP"]) {
    const packed = await raw("/v1/node-types", accepts);
    expect({ accepts, coding: packed.coding }).toEqual({ accepts, coding: "gzip" });
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
  }
  for (const accepts of ["gzip;q=0", "br", "identity"])
    expect({ accepts, coding: (await raw("/v1/node-types", accepts)).coding }).toEqual({ accepts, coding: undefined });
  expect(plain.vary).toContain("Accept-Encoding");
});

test("sends small answers, rejections, and answers that may contain a secret uncompressed", async () => {
  expect((await raw("/v1/auth/me", "gzip")).coding).toBeUndefined();
  const name = "A workflow";
  const nodes = Array.from({ length: 60 }, (_, n) => ({
    id: `s${n}`,
    type: "delay",
    data: { ms: n },
    position: { x: 0, y: n },
  }));
  const made = await raw(
    `${space}/workflows`,
    "gzip",
    "POST",
    JSON.stringify({ name, definition: { nodes, edges: [] } }),
  );
  expect(made).toMatchObject({ status: 201, coding: undefined });
  expect(made.bytes.length).toBeGreaterThan(4_096);
  const { id } = JSON.parse(made.bytes.toString()) as { id: string };
  const read = await raw(`${space}/workflows/${id}`, "gzip");
  expect(read.coding).toBe("gzip");
  expect(JSON.parse(gunzipSync(read.bytes).toString())).toMatchObject({ id, name });
  expect(await raw(`${space}/workflows/${id}x`, "gzip")).toMatchObject({ status: 404, coding: undefined });
});
