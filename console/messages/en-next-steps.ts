/** The texts of what a new workspace may do next. */
export const words = {
  title: "What comes next",
  dismiss: "Hide these hints",
  done: "Done:",
  steps: {
    run: { title: "Finish a first run", detail: "Run a workflow and answer what it asks." },
    deploy: { title: "Deploy a workflow", detail: "Schedules, webhooks and programs run the deployed version." },
    start: { title: "Let it start by itself", detail: "At set times, or when another service calls." },
    invite: { title: "Invite somebody", detail: "A colleague can answer questions and build with you." },
  },
};
