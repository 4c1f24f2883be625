// Tests run as CommonJS through swc; the processes they start run the sources as Node does.
export default {
  testEnvironment: "<rootDir>/test/support/environment.ts",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // These need servers, npm run test:real, or a browser, npm run test:browser.
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/real/", "<rootDir>/test/browser/"],
  globalSetup: "<rootDir>/test/support/before.ts",
  setupFiles: ["<rootDir>/test/support/check-answers.ts"],
  extensionsToTreatAsEsm: [],
  transform: {
    "^.+\\.(t|m?j)s$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" } },
    ],
  },
  // A library names the first of these files of Zod, whose other files are loaded as CommonJS here. The second one has the
  // messages in 62 languages, which the service leaves out too.
  moduleNameMapper: {
    "^zod/v4/locales/en\\.js$": "<rootDir>/node_modules/zod/v4/locales/en.cjs",
    "^\\.\\./locales/index\\.cjs$": "<rootDir>/node_modules/zod/v4/locales/en.cjs",
  },
  // Packages that come as ES modules only.
  transformIgnorePatterns: [
    "/node_modules/(?!(@ai-sdk|@workflow|@scalar|oauth4webapi|jose|aws4fetch|uuid|eventsource-parser|marked|agenda|@agendajs|s3mini|htmlparser2|domhandler|domutils|domelementtype|dom-serializer|entities)/)",
  ],
  // A package that is built there has the name of this one.
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  // It ends a test that hangs, behind the limits by which a test itself says what it waits for: see test/support/hang.ts.
  testTimeout: 120_000,
  // Most of a system test is waiting for a server, so more run at a time than there are processors on a small machine.
  maxWorkers: 5,
  // A worker that has run many suites frees several hundred megabytes when it ends, and all workers end at once.
  workerGracefulExitTimeout: 10_000,
  testSequencer: "<rootDir>/test/support/sequencer.js",
};
