import { randomBytes } from "node:crypto";
import newTemporaryFolder from "../support/before.ts";
import { RUN } from "../support/real-servers.ts";

/** Once, before the first suite: a run without any real server would prove nothing, so it fails. */
export default function before(): void {
  const { MONGODB_URI, QDRANT_URL } = process.env;
  if (!MONGODB_URI && !QDRANT_URL)
    throw new Error("test:real takes MONGODB_URI, QDRANT_URL or both, of servers for tests.");
  newTemporaryFolder();
  process.env[RUN] = `wt${randomBytes(4).toString("hex")}`;
}
