/** The texts of the command palette. The first page does not load them. */
export const words = {
  nothing: "Nothing matches",
  commands: "Commands",
  steps: "Steps",
  runsOf: (name: string) => `Runs of ${name}`,
  /** What people search for when they need a section of the settings. */
  sections: {
    members: "users people invite roles team",
    spaces: "pods projects folders",
    keys: "tokens access",
    credentials: "secrets connections API keys OpenAI Anthropic Gemini Mistral Ollama models passwords",
    variables: "environment constants",
    usage: "quotas limits budget",
    audit: "log history events",
  },
  notAll: "A part of the workspace did not answer, so there may be more.",
};
