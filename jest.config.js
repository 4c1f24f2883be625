// Tests run as CommonJS through swc; the processes they start run the sources as Node does.
export default {
  testEnvironment: "node",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  extensionsToTreatAsEsm: [],
  transform: {
    "^.+\\.(t|j)s$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" } },
    ],
  },
  // Packages that come as ES modules only.
  transformIgnorePatterns: ["/node_modules/(?!(uuid|eventsource-parser|agenda|@agendajs)/)"],
  testTimeout: 30_000,
};
