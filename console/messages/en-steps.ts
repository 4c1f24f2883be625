/** The names of types of steps, where the catalogue of the service is not read. */
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
  timeout: "No answer",
};

/** What a way out of a step is called, where the catalogue of the service does not say it. */
export const handleTitle = (id: string): string => HANDLES[id] ?? id.replace(/^case:/, "");

export const edgeLabel = (from: string, to: string): string => `From ${from} to ${to}`;

/** What the library of the canvas says. Nothing of it has the focus by keys, which our canvas handles itself. */
export const canvasLabels = {
  "node.a11yDescription.default": "A step",
  "edge.a11yDescription.default": "A connection",
  "controls.ariaLabel": "View",
  "controls.zoomIn.ariaLabel": "Zoom in",
  "controls.zoomOut.ariaLabel": "Zoom out",
  "controls.fitView.ariaLabel": "Show all steps",
};
