import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { admission, REGISTRATION_MODES, registrationNow } from "../../core/registration.ts";
import { isBreached } from "../../services/identity/breached-passwords.ts";
import { passwordFault } from "../../services/identity/new-password.ts";
import { makeLinkToken, idOfLinkToken } from "../../service-kit/link-token.ts";

const sha1 = (text: string) => createHash("sha1").update(text).digest("hex").toUpperCase();

it.each([
  ["password1234", "common"],
  ["qwertyuiop12", "easy"],
  ["aaaaaaaaaaaaaaaa", "epeated"],
  ["ada.lovelace", "name or address"],
])("rates %s as easy to guess", async (password, reason) => {
  expect(await passwordFault(password, ["ada.lovelace@example.com", "Ada Lovelace"], undefined)).toContain(reason);
});

it.each(["correct horse battery", "x7#kQ9!vTz2m", "wir fahren morgen nach Ulm", "ééééé ¾ 漢字 horse staple"])(
  "rates %s as hard to guess",
  async password => expect(await passwordFault(password, ["ada@example.com"], undefined)).toBeNull(),
);

it("rates the longest password by its beginning, so that no estimate takes long", async () => {
  expect(await passwordFault("4@8({[<369&#!1/|0$5+7%2/".repeat(11).slice(0, 256), [], undefined)).toBeNull();
});

describe("a file of breached passwords", () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-breached-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const passwords = Array.from({ length: 300 }, (_, n) => `breached password ${n}`);

  it.each([
    ["with counts", "\n", (n: number) => `:${n * 37}`, 300],
    ["of hashes alone, with Windows line ends", "\r\n", () => "", 300],
    ["of one line", "\n", () => ":1", 1],
    ["that is empty", "\n", () => "", 0],
  ])("is searched without being loaded: %s", async (_, end, count, size) => {
    const path = join(folder, `${size}${end.length}`);
    const known = passwords.slice(0, size);
    const lines = known.map(sha1).sort();
    writeFileSync(path, lines.map((hash, n) => hash + count(n) + end).join(""));
    for (const one of known) expect([one, await isBreached(path, one)]).toEqual([one, true]);
    for (let n = 0; n < 100; n++) expect(await isBreached(path, `another password ${n}`)).toBe(false);
    // Before the first line and after the last.
    expect(await isBreached(path, "")).toBe(false);
  });

  it("rejects passwords that it contains", async () => {
    const path = join(folder, "one");
    writeFileSync(path, `${sha1("correct horse battery")}:9`);
    expect(await passwordFault("correct horse battery", [], path)).toContain("stolen");
    expect(await passwordFault("incorrect horse battery", [], path)).toBeNull();
  });
});

it("admits people according to the mode of registration", () => {
  const facts = [true, false].flatMap(isEmpty => [true, false].map(isInvited => ({ isEmpty, isInvited })));
  const table = REGISTRATION_MODES.map(mode => [
    mode,
    ...facts.map(one => admission(mode, one)),
    ...[true, false].map(isEmpty => registrationNow(mode, isEmpty)),
  ]);
  const [yes, first, no] = ["admitted", "admitted-as-first", "refused"];
  expect(table).toEqual([
    ["open", yes, yes, yes, yes, "first", "open"],
    ["first", yes, first, yes, no, "first", "invite"],
    ["invite", yes, no, yes, no, "invite", "invite"],
    ["closed", no, no, no, no, "closed", "closed"],
  ]);
});

it("accepts the token of a link only unchanged, for its own purpose and key", () => {
  const id = "0197c7a5-0000-7000-8000-000000000000";
  const token = makeLinkToken("key", "password reset", id);
  expect(idOfLinkToken("key", "password reset", token)).toBe(id);
  expect(idOfLinkToken("key", "another", token)).toBeNull();
  expect(idOfLinkToken("another", "password reset", token)).toBeNull();
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    expect(idOfLinkToken("key", "password reset", changed)).toBeNull();
  }
  expect(idOfLinkToken("key", "password reset", `${token}A`)).toBeNull();
  expect(idOfLinkToken("key", "password reset", "")).toBeNull();
});
