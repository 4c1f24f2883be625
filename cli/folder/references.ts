import { bindCredentials, withCredentialNames } from "../../core/exchange/credential-references.ts";
import { idsIn, namesIn, type Reference, withIds, withNames } from "../../core/exchange/named-references.ts";
import { credentialMark, shownCredential, wantedBy } from "../../core/credentials/wanted.ts";
import { WeftError, type Weft } from "../../sdk/index.ts";

interface Credential {
  id: string;
  name: string;
  type: string;
}

const textOf = ({ kind, value }: Reference) => `${kind}:${value}`;

/** Maps ids to names and names to ids. An ambiguous name maps to no id. */
class Names {
  readonly #names = new Map<string, string>();
  readonly #ids = new Map<string, string | null>();

  add(id: string, name: string): void {
    this.#names.set(id, name);
    const other = this.#ids.get(name);
    this.#ids.set(name, other === undefined || other === id ? id : null);
  }

  nameOf(id: string): string | undefined {
    const name = this.#names.get(id);
    return name !== undefined && this.#ids.get(name) === id ? name : undefined;
  }

  idOf(name: string): string | undefined {
    return this.#ids.get(name) ?? undefined;
  }
}

/** Replaces the ids of a workspace by names, and the reverse. It reads only what the definitions refer to. */
export class References {
  readonly #weft: Weft;
  readonly #kinds = { workflow: new Names(), knowledge: new Names(), tool: new Names(), user: new Names() };
  readonly #read = new Map<string, Promise<void>>();
  #credentials: readonly Credential[] = [];

  constructor(weft: Weft) {
    this.#weft = weft;
  }

  /** Reads the credentials. Other names are read when a definition needs them. */
  async begin(): Promise<void> {
    const all: Credential[] = [];
    for await (const one of this.#weft.credentials.list({ limit: 200 })) all.push(one);
    this.#credentials = all;
  }

  addWorkflow(id: string, slug: string): void {
    this.#kinds.workflow.add(id, slug);
  }

  workflowSlug = (id: string): string | undefined => this.#kinds.workflow.nameOf(id);
  workflowId = (slug: string): string | undefined => this.#kinds.workflow.idOf(slug);

  /** A definition for a file. */
  async forFile(definition: unknown): Promise<unknown> {
    for (const { kind, value } of idsIn(definition)) {
      if (kind === "tool") await this.#once(`tool ${value}`, () => this.#readTool(value));
      else await this.#learn(kind);
    }
    const named = withNames(definition, ({ kind, value }) => this.#kinds[kind].nameOf(value));
    return withCredentialNames(named, new Map(this.#credentials.map(one => [one.id, one])));
  }

  /**
   * The definition of a file, with the ids of this workspace. References to missing objects keep their names, with a
   * warning.
   */
  async fromFile(definition: unknown): Promise<{ definition: unknown; warnings: string[] }> {
    const missing = new Set<string>();
    for (const { kind, value } of namesIn(definition)) {
      if (kind === "tool") await this.#once(`tools of ${value}`, () => this.#readToolsFor(value));
      else await this.#learn(kind);
      if (this.#kinds[kind].idOf(value) === undefined) missing.add(textOf({ kind, value }));
    }
    const found = withIds(definition, ({ kind, value }) => this.#kinds[kind].idOf(value));
    const bound = bindCredentials(found, this.#credentials);
    const unknown = [...missing].map(
      name => `There is no ${name}, or several have this name. The step keeps the name.`,
    );
    return { definition: bound.definition, warnings: [...unknown, ...bound.warnings.map(({ message }) => message)] };
  }

  credentialForFile(id: unknown): unknown {
    const found = this.#credentials.find(one => one.id === id);
    return found ? credentialMark({ name: found.name, type: found.type }) : id;
  }

  /** @throws {Error} when the workspace has no such credential */
  credentialFromFile(mark: unknown): unknown {
    const wanted = wantedBy(mark);
    if (!wanted) return mark;
    const found = this.#credentials.find(one => one.name === wanted.name && one.type === (wanted.type ?? one.type));
    if (!found) throw new Error(`the workspace has no credential ${shownCredential(wanted)}`);
    return found.id;
  }

  #once(what: string, read: () => Promise<void>): Promise<void> {
    const running = this.#read.get(what) ?? read();
    this.#read.set(what, running);
    return running;
  }

  #learn(kind: Exclude<Reference["kind"], "tool">): Promise<void> {
    return this.#once(kind, async () => {
      if (kind === "knowledge") {
        for await (const { id, name } of this.#weft.knowledge.list({ limit: 200 })) this.#kinds.knowledge.add(id, name);
      } else if (kind === "user") {
        for await (const { userId, email } of this.#weft.workspaces.members({ limit: 200 }))
          if (email !== null) this.#kinds.user.add(userId, email);
      }
    });
  }

  /** A tool of a removed server stays an id. */
  async #readTool(id: string): Promise<void> {
    try {
      const { serverName, name } = await this.#weft.mcp.tools.get({ toolId: id });
      await this.#readToolsFor(`${serverName}/${name}`);
    } catch (error) {
      if (!(error instanceof WeftError && error.status === 404)) throw error;
    }
  }

  /** Reads the tools of the servers and APIs whose names are a prefix of the text. */
  async #readToolsFor(text: string): Promise<void> {
    const begins = ({ name }: { name: string }) => text.startsWith(`${name}/`);
    for await (const server of this.#weft.mcp.list({ limit: 200 })) {
      if (begins(server)) await this.#addTools(server, this.#weft.mcp.tools.list({ id: server.id, limit: 200 }));
    }
    for await (const api of this.#weft.mcp.apis.list({ limit: 200 })) {
      if (begins(api)) await this.#addTools(api, this.#weft.mcp.apis.operations({ id: api.id, limit: 200 }));
    }
  }

  async #addTools({ name }: { name: string }, tools: AsyncIterable<{ id: string; name: string }>): Promise<void> {
    for await (const tool of tools) this.#kinds.tool.add(tool.id, `${name}/${tool.name}`);
  }
}
