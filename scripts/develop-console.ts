// `npm run console` serves the web page from its sources, with the API of a running service.
import { createServer } from "vite";
import { viteConfig } from "./console/vite-config.ts";

const api = process.env.WEFT_URL ?? "http://127.0.0.1:3000";
// The service accepts the session's cookie only from pages of its own origin, so both host names must agree.
const proxied = { target: api, changeOrigin: false };
const shared = viteConfig({});
const server = await createServer({
  ...shared,
  server: { ...shared.server, port: 5173, proxy: { "/v1": proxied, "/docs": proxied, "/openapi.json": proxied } },
});
await server.listen();
console.log(`The console is at http://localhost:5173, with the API at ${api}`);
