import { CredentialTransit } from "../../service-kit/credential-transit.ts";
import { ownDataDir } from "../support/service-node.ts";

ownDataDir();

const SECRET = "a-secret-on-its-way";
const opened = { id: "c1", name: "Shop", type: "bearer" as const, hosts: ["a.example"], data: { token: SECRET } };

test.each([true, false])("shows no secret in an answer, while its caller gets it (in the same process: %s)", isHere => {
  const transit = new CredentialTransit();
  const sealed = transit.pack(opened, { isHere });
  expect(sealed).not.toContain(SECRET);
  expect(new CredentialTransit().unpack({ id: "c1", sealed })).toEqual(opened);
});

test("accepts each ticket once, and drops the tickets of callers that gave up", () => {
  const transit = new CredentialTransit();
  const first = transit.pack(opened, { isHere: true });
  transit.unpack({ id: "c1", sealed: first });
  expect(() => transit.unpack({ id: "c1", sealed: first })).toThrow("taken before");
  const left = transit.pack(opened, { isHere: true });
  for (let more = 0; more < 1_000; more++) transit.pack(opened, { isHere: true });
  expect(() => transit.unpack({ id: "c1", sealed: left })).toThrow("taken before");
});

test("does not open a value for another credential than it was sealed for", () => {
  const transit = new CredentialTransit();
  const sealed = transit.pack(opened, { isHere: false });
  expect(() => transit.unpack({ id: "c2", sealed })).toThrow();
});
