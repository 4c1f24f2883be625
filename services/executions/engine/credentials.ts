import type { ServiceBroker } from "moleculer";
import { call } from "../../../contracts/call.ts";
import type { OpenedCredential } from "../../../contracts/credentials/opened.ts";
import { CredentialTransit } from "../../../service-kit/credential-transit.ts";

/** The space of the step that uses a credential. A credential may be limited to certain spaces. */
export interface SpaceAddress {
  workspaceId: string;
  spaceId: string;
}

/** Opens credentials for the steps of this node. */
export class Credentials {
  readonly #broker: ServiceBroker;
  readonly #transit = new CredentialTransit();

  constructor(broker: ServiceBroker) {
    this.#broker = broker;
  }

  /**
   * Opens a credential by its id or its name. `refused` is the id of a token that the called service refused.
   * @throws the errors of `credentials.open`
   */
  async open(
    { workspaceId, spaceId }: SpaceAddress,
    named: { id: string } | { name: string },
    refused?: string,
  ): Promise<OpenedCredential> {
    const asked = { workspaceId, spaceId, ...named, ...(refused !== undefined && { refused }) };
    return this.#transit.unpack(await call(this.#broker, "credentials.open", asked));
  }
}
