import type { Exchange } from "./exchange.ts";

/** Whether a browser asks for a page, rather than a program for data. */
export const wantsHtml = ({ req }: Exchange): boolean => (req.headers.accept ?? "").includes("text/html");
