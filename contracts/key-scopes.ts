import { z } from "zod";

/** The scopes that restrict an API key to a part of what its role allows. */
export const KEY_SCOPES = {
  read: "everything that the role may read, and searches",
  "run:<workflowId>": "start runs of one workflow",
  approve: "answer questions of runs",
  signal: "send signals to runs",
} as const;

const SCOPE = /^(read|approve|signal|run:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const keyScope = z
  .string()
  .regex(SCOPE, "Expected read, approve, signal or run:<workflowId>")
  .meta({
    description: Object.entries(KEY_SCOPES)
      .map(([scope, may]) => `\`${scope}\`: ${may}`)
      .join("; "),
  });

const { ipv4, ipv6, cidrv4, cidrv6 } = z.regexes;
const RANGE = new RegExp([ipv4, ipv6, cidrv4, cidrv6].map(({ source }) => `(${source})`).join("|"));

/** An address, or a range of addresses. */
export const addressRange = z.string().max(100).regex(RANGE, "Expected an IP address, or a range such as 192.0.2.0/24");

export const MAX_SCOPES = 50;
export const MAX_ADDRESSES = 50;
export const keyScopes = z.array(keyScope).max(MAX_SCOPES);
export const addressRanges = z.array(addressRange).max(MAX_ADDRESSES);
