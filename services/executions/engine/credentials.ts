import type { ServiceBroker } from "moleculer";
import { CREDENTIAL_IN_TRANSIT } from "../../../contracts/actions/credentials.ts";
import { call } from "../../../contracts/call.ts";
import type { OpenedCredential } from "../../../contracts/credentials/opened.ts";
import { sealerFor } from "../../../service-kit/sealer.ts";

/** The step that uses a credential: a credential may be limited to spaces. */
export interface Place {
  workspaceId: string;
  spaceId: string;
}

/** Opens credentials for the steps of this node. */
export class Credentials {
  readonly #broker: ServiceBroker;
  readonly #sealer = sealerFor(CREDENTIAL_IN_TRANSIT);

  constructor(broker: ServiceBroker) {
    this.#broker = broker;
  }

  /**
   * Opens a credential by its id or its name. `refused` is the id of a token that the other side refused.
   * @throws the errors of `credentials.open`
   */
  async open(
    { workspaceId, spaceId }: Place,
    named: { id: string } | { name: string },
    refused?: string,
  ): Promise<OpenedCredential> {
    const asked = { workspaceId, spaceId, ...named, ...(refused !== undefined && { refused }) };
    const { id, sealed } = await call(this.#broker, "credentials.open", asked);
    return JSON.parse(this.#sealer.open(sealed, id)) as OpenedCredential;
  }
}
