import type { Exchange } from "./exchange.ts";

/** Whether the client is a browser that requests a page, and not a program that requests data. */
export const wantsHtml = ({ req }: Exchange): boolean => (req.headers.accept ?? "").includes("text/html");
