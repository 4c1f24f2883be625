import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const BROWSER = [
  ...["addEventListener", "document", "fetch", "getComputedStyle", "localStorage", "location", "matchMedia"],
  ...["navigator", "setTimeout"],
];

export default tseslint.config(
  { ignores: ["node_modules/", "data/", "coverage/", "**/dist/", "console/.build-*/"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "no-console": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  // Tests look into answers of the API as they come.
  {
    files: ["test/**", "bench/**"],
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  // Scripts of pages run in browsers.
  {
    files: ["services/gateway/docs/assets/**"],
    languageOptions: { globals: Object.fromEntries(BROWSER.map(name => [name, "readonly"])) },
  },
  {
    files: ["console/**/*.{ts,tsx}"],
    extends: [reactHooks.configs.flat["recommended-latest"], jsxA11y.flatConfigs.strict],
    rules: {
      "no-restricted-globals": ["error", { name: "event", message: "Use the handler's parameter." }],
      "no-restricted-imports": [
        "error",
        { name: "react", importNames: ["lazy"], message: "Use ui/lazy.tsx, which survives a failure to load." },
        {
          name: "@tanstack/react-router",
          importNames: ["lazyRouteComponent"],
          message: "Use shell/lazy-page.tsx, which survives a failure to load.",
        },
      ],
      // Event handlers may be async: their failures are shown by the mutation that they start.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    files: ["console/early.js"],
    languageOptions: { sourceType: "script", globals: { window: "readonly" } },
  },
  // Benchmarks and scripts print their results; that is what they are for.
  { files: ["bench/**", "scripts/**"], rules: { "no-console": "off" } },
);
