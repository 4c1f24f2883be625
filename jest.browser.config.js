// Scenarios in a real browser: npm run test:browser. One suite at a time, because each drives a Chromium.
import base from "./jest.config.js";

export default {
  ...base,
  testMatch: ["<rootDir>/test/browser/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
  setupFilesAfterEnv: ["<rootDir>/test/browser/support/try-again.ts"],
  maxWorkers: 1,
  // A browser that a failed start leaves behind keeps the process from ending.
  forceExit: true,
};
