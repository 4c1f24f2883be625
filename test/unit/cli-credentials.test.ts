import { PassThrough } from "node:stream";
import { askData } from "../../cli/commands/credential-input.ts";
import type { CredentialTypeName } from "../../core/credentials/types.ts";

const real = process.stdin;
let terminal: PassThrough;
let shown: string;

/** What a user types at each question. */
let answers: string[];

beforeEach(() => {
  terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => terminal });
  Object.defineProperty(process, "stdin", { value: terminal, configurable: true });
  shown = "";
  jest.spyOn(process.stderr, "write").mockImplementation(text => {
    shown += String(text);
    if (String(text).endsWith(": ")) setImmediate(() => terminal.write(`${answers.shift() ?? ""}\r`));
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  Object.defineProperty(process, "stdin", { value: real, configurable: true });
});

test.each<[CredentialTypeName, string[], object]>([
  ["header", ["X-Key", "s3cret-value", ""], { name: "X-Key", value: "s3cret-value" }],
  [
    "smtp",
    ["mail.example.com", "2525", "tls", "ada", "s3cret-value", ""],
    { host: "mail.example.com", port: 2525, security: "tls", username: "ada", password: "s3cret-value" },
  ],
  ["fields", ["pin", "s3cret-value", ""], { pin: "s3cret-value" }],
])("asks for the fields of the type %s, and hides secret ones", async (type, typed, data) => {
  answers = [...typed];
  expect(await askData(type)).toEqual(data);
  expect(answers).toEqual([]);
  expect(shown).not.toContain("s3cret-value");
});

test("requires a value for a required field, and JSON for fields that are not texts", async () => {
  answers = ["", ""];
  await expect(askData("bearer")).rejects.toThrow("token is missing");
  answers = ["mail.example.com", "many"];
  await expect(askData("smtp")).rejects.toThrow("port is not valid JSON");
});
