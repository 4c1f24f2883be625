import { canvas, type Hand } from "./hand.ts";

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
  await hand.click(canvas(hand.page).getByRole("button", { name: /^Add a step after HTTP request, On error/ }));
  await hand.choose("transform", "Transform");
  await hand.press("Enter");
  await hand.editing();
  await hand.press("Control+a");
  await hand.type(json({ part: "{{ item.part }}", left: 0 }));
  await hand.back();
  await hand.run();
}

/** All pages of a list are read, and a report of them is told in a chat. */
export async function report(hand: Hand, places: Places): Promise<void> {
  await begin(hand, { shop: "Bells" });
  await hand.add("http", "HTTP request");
  await hand.write("URL", `${places.shop}/orders`);
  await hand.click(hand.form.getByRole("button", { name: "Add to Query" }));
  await hand.type("shop");
  await hand.press("Tab");
  await hand.editing();
  await hand.type("{{ input.shop }}");
  await hand.click(hand.form.getByRole("button", { name: "Pages" }));
  await hand.click(hand.form.getByRole("group", { name: "Pages" }).getByLabel("Use"));
  await hand.form.getByRole("combobox", { name: /^Next page/ }).focus();
  // Letters choose from the list.
  await hand.press("u");
  await hand.write("Address", "{{ response.body.next }}");
  await hand.write("Items", "{{ response.body.orders }}");
  await hand.back();
  const [count, sum] = ["{{ $count(steps.http.items) }}", "{{ $sum(steps.http.items.total) }}"];
  await tell(hand, places, `{{ input.shop }}: ${count} orders, ${sum} in all`);
  await hand.run();
}

/** A person approves with a reason, which a form asks for, and the chat hears of it. */
export async function approval(hand: Hand, places: Places): Promise<void> {
  await begin(hand, { who: "Grace", amount: 40 });
  await hand.add("human", "Ask a person");
  await hand.press("Enter");
  await hand.editing();
  await hand.type("May {{ input.who }} spend {{ input.amount }}?");
  await hand.click(hand.form.getByRole("button", { name: "Add a field to Form" }));
  await hand.type("reason");
  await hand.back();
  await tell(hand, places, "{{ input.who }} may: {{ steps.human.data.reason }}");
  await hand.run("Asks");
  await hand.click(hand.page.locator("[data-run]").getByRole("button", { name: "Answer" }));
  const question = hand.page.getByRole("dialog");
  await hand.click(question.getByLabel("Reason"));
  await hand.type("It is for bells.");
  await hand.click(question.getByRole("button", { name: "Approve" }));
  await hand.strip("Completed");
}
