import type { Service, ServiceSchema } from "moleculer";
import { CREDENTIAL_IN_TRANSIT } from "../../contracts/actions/credentials.ts";
import { sealerFor } from "../../service-kit/sealer.ts";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { throttledWarn } from "../../service-kit/throttled-warn.ts";
import { create, get, list, purge, remove } from "./credentials.ts";
import { CREDENTIAL_DATA, credentials as collection } from "./model.ts";
import { open } from "./open.ts";
import type { CredentialsService } from "./service.ts";
import { update } from "./update.ts";

const credentials: ServiceSchema = {
  name: "credentials",
  mixins: [storeMixin([collection])],
  actions: { create, list, get, update, remove, open, purge },
  created(this: Service & Partial<CredentialsService>) {
    this.warn = throttledWarn(this.logger);
    this.sealer = sealerFor(CREDENTIAL_DATA);
    this.transit = sealerFor(CREDENTIAL_IN_TRANSIT);
  },
};

export default credentials;
