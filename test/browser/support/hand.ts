import type { Locator, Page } from "playwright-core";

/** The canvas of the builder. */
export const canvas = (page: Page) => page.getByRole("application", { name: /^Workflow of/ });

const PALETTE = "What happens next?";

/** A person at keyboard and pointer, who counts what each workflow takes. */
export class Hand {
  keys = 0;
  clicks = 0;
  readonly page: Page;
  readonly #began = performance.now();

  constructor(page: Page) {
    this.page = page;
  }

  get effort(): { keys: number; clicks: number; seconds: number } {
    const { keys, clicks } = this;
    return { keys, clicks, seconds: Math.round((performance.now() - this.#began) / 100) / 10 };
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.keys++;
      await this.page.keyboard.press(key);
    }
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  async click(what: Locator): Promise<void> {
    this.clicks++;
    await what.click();
  }

  /** Opens the palette by its key, types a word, and takes the first that fits. */
  async add(word: string, title: string | RegExp): Promise<void> {
    await this.press("n");
    await this.choose(word, title);
  }

  /** Takes a step from the palette that is open. */
  async choose(word: string, title: string | RegExp): Promise<void> {
    await this.page.getByPlaceholder(PALETTE).waitFor();
    await this.type(word);
    const first = this.page.locator("[role=option][data-highlighted]").filter({ hasText: title });
    await first.first().waitFor();
    await this.press("Enter");
    await this.page.getByPlaceholder(PALETTE).waitFor({ state: "detached" });
    await this.page.locator("[role=application]:focus").waitFor();
  }

  get form(): Locator {
    return this.page.getByRole("complementary");
  }

  field(name: string): Locator {
    return this.form.getByRole("textbox", { name: new RegExp(`^${name}( \\*)?\\s*(\\(required\\))?$`) });
  }

  /** Waits until keys go into the editor of a field. */
  async editing(): Promise<void> {
    await this.page.locator(".cm-focused").waitFor();
  }

  /** Clicks a field, and writes into it in place of what it holds. */
  async write(name: string, text: string): Promise<void> {
    await this.click(this.field(name));
    await this.editing();
    await this.press("Control+a");
    await this.type(text);
  }

  /** Goes from the form of a step back to the canvas. */
  async back(): Promise<void> {
    const there = this.page.locator("[role=application]:focus");
    // A list of completions takes the first Escape, and the editor the next one.
    for (let tries = 0; tries < 4 && (await there.count()) === 0; tries++) await this.press("Escape");
    await there.waitFor();
  }

  /** Runs the workflow with the example that its trigger has, and waits for its end on the canvas. */
  async run(status = "Completed"): Promise<void> {
    await this.press("Control+Enter");
    await this.page.getByRole("dialog").getByRole("button", { name: "Run" }).and(this.page.locator(":focus")).waitFor();
    await this.press("Enter");
    await this.strip(status);
  }

  /** Waits for the state of the run that the canvas shows. */
  async strip(status: string): Promise<void> {
    const state = this.page.locator("[data-run]").getByText(status, { exact: true });
    await state.first().waitFor({ timeout: 30_000 });
  }
}
