interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): {
    createScriptURL(url: string): string;
  };
}

// Browsers without Trusted Types take plain addresses.
const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
const policy = policies?.createPolicy("weft", {
  createScriptURL(url) {
    if (new URL(url, location.href).origin === location.origin) return url;
    throw new TypeError("Workers come from the page's own origin");
  },
});

/** The address of a worker file of the build, in the form that the page's content security policy requires. */
export const workerUrl = (url: string): string => (policy ? policy.createScriptURL(url) : url);
