import type { Change, Stored } from "../data/builder.ts";
import { type BuilderDocument, definitionOf, type Edits, type Meta } from "./document/index.ts";

/** What a draft is based on, and what is compared with to know whether anything was changed. */
export interface Base {
  version: number;
  etag: string | undefined;
  meta: Meta;
  definition: unknown;
}

/** An edited workflow that is not saved, as it is kept. */
export interface Draft {
  baseVersion: number;
  meta: Meta;
  definition: unknown;
  /** In milliseconds since 1970. */
  at: number;
  /** What can be undone. Only this browser keeps it. */
  edits?: Edits;
}

export type SaveState =
  | { kind: "saved"; version: number }
  | { kind: "typing" }
  | { kind: "here" }
  | { kind: "kept" }
  | { kind: "saving" }
  | { kind: "failed"; why: string };

/** A version of others that a save met. */
export interface Conflict {
  base: Base;
  theirs: Base;
}

/** The outside of a keeper. Each call may fail. */
export interface Ports {
  save(change: Change, etag: string | undefined): Promise<Stored>;
  newest(): Promise<Stored>;
  keepHere(draft: Draft): Promise<void>;
  dropHere(): Promise<void>;
  /** Absent where the service keeps no drafts. */
  keepThere?: (draft: Draft) => Promise<void>;
  dropThere?: () => Promise<void>;
  isConflict(error: unknown): boolean;
  words(error: unknown): string;
}

export const baseOf = ({ workflow, etag }: Stored): Base => ({
  version: workflow.version,
  etag,
  meta: { name: workflow.name, description: workflow.description },
  definition: workflow.definition,
});

const HERE_MS = 500;
const THERE_MS = 5_000;
/** Edits beyond this are not kept with the draft: undo then begins anew after a reload. */
const MAX_EDITS = 200;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Keeps what is edited: in the browser, as a draft of the service, and as a version when it is saved. */
export class Keeper {
  readonly #doc: BuilderDocument;
  readonly #ports: Ports;
  #base: Base;
  #state: SaveState;
  #conflict: Conflict | undefined;
  #here: ReturnType<typeof setTimeout> | undefined;
  #there: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<boolean> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(doc: BuilderDocument, base: Base, ports: Ports) {
    this.#doc = doc;
    this.#base = base;
    this.#ports = ports;
    this.#state = this.isChanged() ? { kind: "here" } : { kind: "saved", version: base.version };
    doc.subscribe(() => this.#changed());
  }

  readonly getState = (): SaveState => this.#state;
  readonly getConflict = (): Conflict | undefined => this.#conflict;
  readonly getBase = (): Base => this.#base;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  isChanged(): boolean {
    const { meta } = this.#doc.getState();
    return !same(meta, this.#base.meta) || !same(this.#doc.toDefinition(), this.#base.definition);
  }

  draft(): Draft {
    const state = this.#doc.getState();
    const edits = this.#doc.edits();
    const kept = { ...edits, undo: edits.undo.slice(-MAX_EDITS), redo: edits.redo.slice(-MAX_EDITS) };
    const { version: baseVersion } = this.#base;
    return { baseVersion, meta: state.meta, definition: definitionOf(state), at: Date.now(), edits: kept };
  }

  #become(state: SaveState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  #changed(): void {
    if (this.#state.kind !== "saving") this.#become({ kind: "typing" });
    this.#here ??= setTimeout(() => void this.keep(), HERE_MS);
    clearTimeout(this.#there);
    this.#there = setTimeout(() => void this.#keepThere(), THERE_MS);
  }

  /** Keeps the draft in the browser now. */
  async keep(): Promise<void> {
    clearTimeout(this.#here);
    this.#here = undefined;
    if (!this.isChanged()) return this.#unchanged();
    try {
      await this.#ports.keepHere(this.draft());
      if (this.#state.kind === "typing" && this.#here === undefined) this.#become({ kind: "here" });
    } catch (error) {
      if (this.#state.kind !== "saving") this.#become({ kind: "failed", why: this.#ports.words(error) });
    }
  }

  /** Keeps what was edited since the draft was kept last. A tab that edited nothing writes nothing over another's draft. */
  async flush(): Promise<void> {
    if (this.#here !== undefined) await this.keep();
  }

  /** Edits led back to what is saved, so there is no draft. */
  async #unchanged(): Promise<void> {
    clearTimeout(this.#there);
    if (this.#state.kind !== "saving") this.#become({ kind: "saved", version: this.#base.version });
    await Promise.allSettled([this.#ports.dropHere(), this.#ports.dropThere?.()]);
  }

  async #keepThere(): Promise<void> {
    this.#there = undefined;
    if (!this.#ports.keepThere || this.#saving || !this.isChanged()) return;
    const revision = this.#doc.getHistory().revision;
    try {
      const draft = this.draft();
      await this.#ports.keepHere(draft).catch(() => undefined);
      await this.#ports.keepThere(draft);
      const current = revision === this.#doc.getHistory().revision && !this.#saving;
      if (current && this.isChanged()) this.#become({ kind: "kept" });
    } catch {
      // The draft is kept in the browser, which the label goes on to say.
    }
  }

  /** Makes a version. Returns whether what is in the document is saved then. */
  save(message?: string): Promise<boolean> {
    this.#saving ??= this.#save(message).finally(() => (this.#saving = undefined));
    return this.#saving;
  }

  async #save(message?: string): Promise<boolean> {
    const { meta } = this.#doc.getState();
    const definition = this.#doc.toDefinition();
    const base = this.#base;
    const change: Change = {
      ...(meta.name !== base.meta.name && { name: meta.name }),
      ...(meta.description !== base.meta.description && { description: meta.description ?? "" }),
      ...(!same(definition, base.definition) && { definition }),
      ...(message !== undefined && message !== "" && { message }),
    };
    if (change.name === undefined && change.description === undefined && change.definition === undefined) {
      await this.#unchanged();
      return true;
    }
    clearTimeout(this.#there);
    this.#become({ kind: "saving" });
    try {
      await this.#send(change, meta, definition);
      return this.#conflict === undefined;
    } catch (error) {
      await this.#ports.keepHere(this.draft()).catch(() => undefined);
      this.#become({ kind: "failed", why: this.#ports.words(error) });
      return false;
    }
  }

  async #send(change: Change, meta: Meta, definition: unknown): Promise<void> {
    let { etag } = this.#base;
    // A colleague who stars or deploys makes another tag of the same version; one that is met twice is left to the person.
    for (let tries = 0; ; tries++) {
      try {
        const { workflow, etag: next } = await this.#ports.save(change, etag);
        return this.#saved({ version: workflow.version, etag: next, meta, definition });
      } catch (error) {
        if (!this.#ports.isConflict(error) || tries > 3) throw error;
        const theirs = baseOf(await this.#ports.newest());
        if (theirs.version !== this.#base.version) {
          this.#conflict = { base: this.#base, theirs };
          return this.#become({ kind: "typing" });
        }
        etag = theirs.etag;
      }
    }
  }

  #saved(base: Base): void {
    this.#base = base;
    this.#conflict = undefined;
    // What was typed while the request was under way is a draft on the new version.
    if (this.isChanged()) {
      this.#become({ kind: "typing" });
      this.#here ??= setTimeout(() => void this.keep(), HERE_MS);
      return;
    }
    this.#become({ kind: "saved", version: base.version });
    void Promise.allSettled([this.#ports.dropHere(), this.#ports.dropThere?.()]);
  }

  /** Goes on from the version of others, into which the document's changes were merged. */
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

  /** The workflow got another tag, as by a deployment from here. */
  retag(etag: string | undefined): void {
    this.#base = { ...this.#base, etag };
  }
}
