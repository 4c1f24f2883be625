import type { Hand } from "./hand.ts";
import { canvas } from "./hand.ts";

/** Where the services of the workflows are. */
export interface Places {
  chat: string;
  shop: string;
}

const json = (value: unknown) => JSON.stringify(value);

/** The first step, with an example of what comes in. */
async function begin(hand: Hand, example: unknown): Promise<void> {
  await hand.add("trigger", "Trigger");
  await hand.press("Enter");
  await hand.editing();
  await hand.type(json(example));
  await hand.back();
}

/** A step that posts to the chat. */
async function tell(hand: Hand, { chat }: Places, text: string): Promise<void> {
  await hand.add("http", "HTTP request");
  await hand.press("Enter");
  // Letters choose from the list.
  await hand.press("p");
  await hand.write("URL", chat);
  await hand.write("Body", json({ text }));
  await hand.back();
}

/** A webhook from GitHub, whose new issues are told in a chat. */
export async function github(hand: Hand, places: Places): Promise<void> {
  await begin(hand, { action: "opened", issue: { title: "It is slow", html_url: "https://github.com/a/b/issues/1" } });
  await hand.add("condition", "Condition");
  await hand.press("Enter");
  await hand.editing();
  await hand.press("Control+a");
  await hand.type("{{ input.action = 'opened' }}");
  await hand.back();
  await tell(hand, places, "New: {{ input.issue.title }} {{ input.issue.html_url }}");
  await hand.run();
}

/** An agent that knows a handbook and has a tool. */
export async function agent(hand: Hand): Promise<void> {
  await begin(hand, { question: "What is 1 + 2?" });
  await hand.add("Handbook", "Handbook");
  await hand.write("Query", "{{ input.question }}");
  await hand.back();
  await hand.add("agent", "Agent");
  await hand.press("Enter");
  await hand.editing();
  await hand.type("{{ input.question }}");
  await hand.click(hand.form.getByRole("button", { name: "Choose … for Tools" }));
  await hand.type("add");
  await hand.press("Enter");
  await hand.back();
  await hand.run();
}

/** An order: each line is looked up, and one that is gone takes the way of failures. */
export async function order(hand: Hand, places: Places): Promise<void> {
  await begin(hand, { lines: [{ part: "bell" }, { part: "gone" }] });
  await hand.add("map", "Map");
  await hand.write("Items", "{{ input.lines }}");
  await hand.back();
  // Into the container, whose first step the palette asks for.
  await hand.press("Enter");
  await hand.choose("http", "HTTP request");
  await hand.write("URL", `${places.shop}/stock/{{ item.part }}`);
  await hand.click(hand.form.getByRole("tab", { name: "Policy" }));
  await hand.form.getByLabel("On error", { exact: true }).focus();
  // Letters choose from the list.
  await hand.press("r");
  await hand.back();
  await hand.click(canvas(hand.page).getByRole("button", { name: /^Add a step after HTTP request, on error/ }));
  await hand.choose("transform", "Transform");
  await hand.press("Enter");
  await hand.editing();
  await hand.press("Control+a");
  await hand.type(json({ part: "{{ item.part }}", left: 0 }));
  await hand.back();
  await hand.run();
}
