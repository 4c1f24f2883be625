import { siteOf } from "../../adapters/webauthn/passkeys.ts";

test.each([
  ["https://weft.example.com", { host: "weft.example.com", origin: "https://weft.example.com" }],
  ["https://weft.example.com:8443/below", { host: "weft.example.com", origin: "https://weft.example.com:8443" }],
  ["http://localhost:3000", { host: "localhost", origin: "http://localhost:3000" }],
  ["http://weft.example.com", null],
  ["https://127.0.0.1", null],
  ["https://[::1]:3000", null],
])("finds the site of passkeys at %s", (url, site) => expect(siteOf(url)).toEqual(site));
