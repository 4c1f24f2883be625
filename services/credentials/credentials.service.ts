import type { Service, ServiceSchema } from "moleculer";
import { createGuardedConnect } from "../../adapters/net/guarded-connect.ts";
import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";
import { config } from "../../config.ts";
import { CredentialTransit } from "../../service-kit/credential-transit.ts";
import { hashKeyMixin } from "../../service-kit/hash-key.mixin.ts";
import { outboxMixin } from "../../service-kit/outbox.mixin.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import { sealerFor } from "../../service-kit/sealer.ts";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { RenewalTurns } from "../../service-kit/renewal-turns.ts";
import { throttledWarn } from "../../service-kit/throttled-warn.ts";
import { authorize, callback } from "./authorize.ts";
import { create, get, list, named, purge, remove, usage } from "./credentials.ts";
import { CREDENTIAL_DATA, CREDENTIAL_PENDING, CREDENTIAL_TOKENS, credentials as collection } from "./model.ts";
import { credentialNotices } from "./notices.ts";
import { open } from "./open.ts";
import { HOLD_MS } from "./renew.ts";
import type { CredentialsService } from "./service.ts";
import { test } from "./test-credential.ts";
import { types } from "./list-types.ts";
import { update } from "./update.ts";

const credentials: ServiceSchema = {
  name: "credentials",
  mixins: [outboxMixin(credentialNotices), hashKeyMixin, storeMixin([collection])],
  actions: { create, list, get, update, remove, authorize, callback, test, open, named, purge, types, usage },
  created(this: Service & Partial<CredentialsService>) {
    this.warn = throttledWarn(this.logger);
    this.sealer = sealerFor(CREDENTIAL_DATA);
    this.tokenSealer = sealerFor(CREDENTIAL_TOKENS);
    this.pendingSealer = sealerFor(CREDENTIAL_PENDING);
    this.transit = new CredentialTransit();
    this.publicUrl = publicUrl();
    this.turns = new RenewalTurns(this.broker, HOLD_MS);
    this.renewals = new Map();
    this.net = createGuardedFetch({ allow: config().OUTBOUND_ALLOW });
    this.connect = createGuardedConnect({ allow: config().OUTBOUND_ALLOW });
  },
  async stopped(this: Service & Partial<CredentialsService>) {
    await this.net?.close();
  },
};

export default credentials;
