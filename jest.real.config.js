// The suites that say something of MongoDB and Qdrant, against the servers of MONGODB_URI and QDRANT_URL: npm run test:real.
import process from "node:process";
import usual from "./jest.config.js";

/** What stays on the embedded store, or brings servers of its own, and why. */
const NOT_HERE = {
  "system/away-at-start": "brings the servers that it takes away",
  "system/backup": "is about the embedded store's file",
  "system/footprint": "measures a process with everything embedded",
  "system/older-store": "rewrites the embedded store's file",
  "system/readme-tour": "does what a reader does, without any server",
  "system/secrets-at-rest": "reads the embedded store's file",
  "system/shared-store": "is about processes that share one file",
  "system/start-and-stop": "starts processes past test/support/server.ts",
  "system/credentials-leak": "looks for secrets in the embedded store's files and backups",
  "services/engine": "opens the embedded store itself",
  "services/execution-stats-counting": "opens the embedded store itself",
  "services/files": "counts the objects in the folder; test/real/gridfs says what GridFS does",
  "services/query-plans": "asks SQLite how it would find",
  "services/wakes": "opens the embedded store itself",
};

export default {
  ...usual,
  testMatch: [
    "<rootDir>/test/store/{mongo,mongo-wire,mongo-conflicts,migrate}.test.ts",
    ...(process.env.MONGODB_URI ? ["<rootDir>/test/real/*.test.ts"] : []),
    "<rootDir>/test/search/{qdrant,qdrant-collections}.test.ts",
    "<rootDir>/test/{services,system}/*.test.ts",
  ],
  testPathIgnorePatterns: Object.keys(NOT_HERE).map(suite => `/test/${suite}\\.test\\.ts$`),
  globalSetup: "<rootDir>/test/real/before.ts",
  globalTeardown: "<rootDir>/test/real/after.ts",
  // The servers share the processors with the suites.
  maxWorkers: 4,
  // Every write goes to a server and back. A test that hangs still ends within four minutes.
  testTimeout: 2 * usual.testTimeout,
};
