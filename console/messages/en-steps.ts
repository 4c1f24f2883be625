/** The names of step types, for pages that do not load the catalogue. */
export const types = {
  trigger: "Trigger",
  respond: "Respond",
  fail: "Fail",
  condition: "Condition",
  switch: "Switch",
  merge: "Merge",
  map: "Map",
  loop: "Loop",
  round: "Round",
  item: "Item",
  wait: "Wait for a signal",
  delay: "Delay",
  transform: "Transform",
  code: "Code",
  spreadsheet: "Spreadsheet",
  human: "Ask a person",
  notify: "Notify",
  http: "HTTP request",
  api: "API operation",
  email: "E-mail",
  sql: "SQL query",
  s3: "Object storage",
  tool: "Tool",
  subworkflow: "Subworkflow",
  llm: "Language model",
  agent: "Agent",
  retriever: "Search knowledge",
  memory: "Memory",
};

export const removed = "Removed step";

const HANDLES: Readonly<Record<string, string>> = {
  out: "Then",
  undo: "Undone by",
  true: "Yes",
  false: "No",
  default: "Otherwise",
  error: "On error",
  approved: "Yes",
  rejected: "No",
  received: "Received",
  timeout: "Timed out",
};

/** The name of a handle, for pages that do not load the catalogue. */
export const handleTitle = (id: string): string => HANDLES[id] ?? id.replace(/^case:/, "");

export const edgeLabel = (from: string, to: string): string => `From ${from} to ${to}`;

/** The labels of the canvas library. Its elements never get the focus, because the canvas handles keys itself. */
export const canvasLabels = {
  "node.a11yDescription.default": "A step",
  "edge.a11yDescription.default": "A connection",
  "controls.ariaLabel": "View",
  "controls.zoomIn.ariaLabel": "Zoom in",
  "controls.zoomOut.ariaLabel": "Zoom out",
  "controls.fitView.ariaLabel": "Show all steps",
};
