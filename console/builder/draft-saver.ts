import type { Base, Conflict, Draft, SaverPorts, SaveState, WorkflowContent } from "./draft.ts";
import { baseOf, changeFrom, isSameContent } from "./draft.ts";
import type { BuilderDocument } from "./document/index.ts";
import { DRAFT_PAUSE_MS, DraftPauses } from "./draft-pauses.ts";

const HERE_MS = 500;
/** How often a save may meet a new entity tag and try again. */
const MAX_TAGS = 4;

/** Stores changes: in the browser, as a draft on the service, and as a version when the user saves. */
export class DraftSaver {
  readonly #doc: BuilderDocument;
  readonly #ports: SaverPorts;
  #base: Base;
  #state: SaveState;
  #message: string;
  #conflict: Conflict | undefined;
  #here: ReturnType<typeof setTimeout> | undefined;
  #there: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<boolean> | undefined;
  #keepingHere = Promise.resolve();
  #keepingThere = Promise.resolve();
  readonly #pauses = new DraftPauses();
  /** Whether the last save failed. The label gives the reason until the next edit. */
  #refused = false;
  /** Whether another tab, or this page when it opens again, continues with the draft. */
  #handedOver = false;
  /** The content of a save without an answer. It may have become a version. */
  #unanswered: WorkflowContent | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(doc: BuilderDocument, base: Base, ports: SaverPorts, message = "") {
    this.#doc = doc;
    this.#base = base;
    this.#ports = ports;
    this.#message = message;
    this.#state = this.isChanged() ? { kind: "here" } : { kind: "saved", version: base.version };
    doc.subscribe(() => this.#changed());
  }

  readonly getState = (): SaveState => this.#state;
  readonly getConflict = (): Conflict | undefined => this.#conflict;
  readonly getBase = (): Base => this.#base;
  readonly getMessage = (): string => this.#message;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #side(): WorkflowContent {
    return { meta: this.#doc.getState().meta, definition: this.#doc.toDefinition() };
  }

  isChanged(): boolean {
    return !isSameContent(this.#side(), this.#base);
  }

  draft(): Draft {
    const { undo, redo, ...rest } = this.#doc.edits();
    // Copies the lists, because the document may change while they are stored.
    const edits = { ...rest, undo: [...undo], redo: [...redo] };
    const said = this.#message === "" ? {} : { message: this.#message };
    return { ...this.#side(), baseVersion: this.#base.version, at: Date.now(), edits, ...said };
  }

  /** Sets the message of the next version. It is stored with the draft. */
  setMessage(message: string): void {
    this.#message = message;
    if (this.isChanged()) this.#here ??= setTimeout(() => void this.keep(), HERE_MS);
    this.#become(this.#state);
  }

  #become(state: SaveState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  #changed(): void {
    this.#refused = this.#handedOver = false;
    if (this.#state.kind !== "saving") this.#become(this.#state.kind === "typing" ? this.#state : { kind: "typing" });
    this.#here ??= setTimeout(() => void this.keep(), HERE_MS);
    this.#keepThereLater(DRAFT_PAUSE_MS);
  }

  #keepThereLater(ms: number): void {
    this.#forgetThere();
    this.#there = setTimeout(() => void this.#keepThereNow(), ms);
  }

  #forgetThere(): void {
    clearTimeout(this.#there);
    this.#there = undefined;
  }

  /** Sends one draft after the other, because an older draft that arrives late would replace a newer one. */
  #keepThereNow(): Promise<void> {
    this.#forgetThere();
    return (this.#keepingThere = this.#keepingThere.then(() => this.#keepThere()));
  }

  /** Stores the draft in the browser now. */
  keep(): Promise<void> {
    clearTimeout(this.#here);
    this.#here = undefined;
    return (this.#keepingHere = this.isChanged() ? this.#keepHere() : this.#unchanged());
  }

  async #keepHere(): Promise<void> {
    try {
      await this.#ports.keepHere(this.draft());
      if (this.#state.kind === "typing" && this.#here === undefined) this.#become({ kind: "here" });
    } catch (error) {
      if (this.#state.kind !== "saving") this.#become({ kind: "failed", why: this.#ports.words(error), kept: false });
    }
  }

  /** Stores changes made since the draft was last stored. A tab without changes writes nothing. */
  async flush(): Promise<void> {
    await (this.#here === undefined ? this.#keepingHere : this.keep());
    // Changes made while a version is being saved become a draft on that version.
    if (this.#saving && (await this.#saving) && this.#here !== undefined) await this.keep();
    await (this.#there === undefined ? this.#keepingThere : this.#keepThereNow());
  }

  /** Flushes, and then writes nothing until the next edit, because another tab takes the draft over. */
  handOver(): Promise<void> {
    this.#handedOver = true;
    return this.flush();
  }

  /** Sends a draft again that the service did not store. Called when the service may be available again. */
  retry(): void {
    if (this.#there === undefined) this.#pauses.skip();
    else if (this.#pauses.hasFailed) void this.#keepThereNow();
  }

  /** The edits restored the saved version, so there is no draft. */
  async #unchanged(): Promise<void> {
    this.#forgetThere();
    if (this.#state.kind !== "saving") this.#become({ kind: "saved", version: this.#base.version });
    await this.#drop();
  }

  async #drop(): Promise<void> {
    // Otherwise a draft that is being sent would arrive after its removal.
    await this.#keepingThere;
    if (!this.isChanged()) await Promise.allSettled([this.#ports.dropHere(), this.#ports.dropThere()]);
  }

  async #keepThere(): Promise<void> {
    if (this.#saving || !this.isChanged()) return;
    const revision = this.#doc.getHistory().revision;
    const draft = this.draft();
    this.#pauses.begin();
    try {
      await this.#ports.keepHere(draft).catch(() => undefined);
      await this.#ports.keepThere(draft);
      this.#pauses.reset();
      const current = revision === this.#doc.getHistory().revision && !this.#saving;
      if (current && !this.#refused && this.isChanged()) this.#become({ kind: "kept" });
    } catch (error) {
      // The browser has stored the draft, and the label still says so.
      const pause = this.#pauses.next();
      if (this.#there !== undefined || this.#handedOver || !this.#ports.mayPass(error)) return;
      this.#keepThereLater(pause);
    }
  }

  /** Saves a version. Returns whether the current content of the document is saved. */
  save(): Promise<boolean> {
    // Changes made while a version is being saved need another version.
    const run = this.#saving?.then(saved => saved && this.#save()) ?? this.#save();
    const saving = run.finally(() => {
      if (this.#saving === saving) this.#saving = undefined;
    });
    return (this.#saving = saving);
  }

  async #save(): Promise<boolean> {
    this.#forgetThere();
    this.#refused = this.#handedOver = false;
    if (this.isChanged()) this.#become({ kind: "saving" });
    try {
      await this.#send();
      return this.#conflict === undefined;
    } catch (error) {
      let kept = true;
      await this.#ports.keepHere(this.draft()).catch(() => (kept = false));
      this.#refused = true;
      this.#become({ kind: "failed", why: this.#ports.words(error), kept });
      this.#keepThereLater(DRAFT_PAUSE_MS);
      return false;
    }
  }

  async #send(): Promise<void> {
    for (let tries = 0; ; tries++) {
      const [sent, message] = [this.#side(), this.#message];
      const change = changeFrom(this.#base, sent, message);
      if (!change) return this.#saved(this.#base, message);
      try {
        const { workflow, etag } = await this.#ports.save(change, this.#base.etag);
        return this.#saved({ version: workflow.version, etag, ...sent }, message);
      } catch (error) {
        if (this.#ports.mayPass(error)) this.#unanswered = sent;
        if (!this.#ports.isConflict(error) || tries >= MAX_TAGS) throw error;
        const theirs = baseOf(await this.#ports.newest());
        // If someone else stars or deploys the workflow, the same version gets a new entity tag.
        if (theirs.version === this.#base.version) this.#base = { ...this.#base, etag: theirs.etag };
        else if ([sent, this.#unanswered].some(side => side && isSameContent(side, theirs))) this.#base = theirs;
        else {
          this.#conflict = { base: this.#base, theirs };
          this.#keepThereLater(DRAFT_PAUSE_MS);
          return this.#become({ kind: "typing" });
        }
      }
    }
  }

  #saved(base: Base, message: string): void {
    this.#base = base;
    this.#conflict = this.#unanswered = undefined;
    this.#pauses.reset();
    if (this.#message === message) this.#message = "";
    this.#state = { kind: "saved", version: base.version };
    // Changes made during the request become a draft on the new version.
    if (this.isChanged()) return this.#changed();
    this.#become(this.#state);
    void this.#drop();
  }

  /** Continues from someone else's version, into which the changes of the document were merged. */
  rebase(theirs: Base): void {
    this.#base = theirs;
    this.#conflict = undefined;
    this.#become({ kind: "typing" });
  }

  dismiss(): void {
    this.#conflict = undefined;
    this.#become({ kind: "typing" });
    void this.keep();
  }

  /** Sets the new entity tag of the workflow, for example after a deployment from this page. */
  retag(etag: string | undefined): void {
    this.#base = { ...this.#base, etag };
  }
}
