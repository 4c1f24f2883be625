// Scenarios in a real browser: npm run test:browser.
import base from "./jest.config.js";

export default {
  ...base,
  testMatch: ["<rootDir>/test/browser/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
  globalSetup: "<rootDir>/test/browser/support/before.ts",
  setupFilesAfterEnv: ["<rootDir>/test/browser/support/try-again.ts"],
  // Each drives a Chromium, and waits for it more than half of the time.
  maxWorkers: 3,
  // A browser that a failed start leaves behind keeps the process from ending.
  forceExit: true,
};
