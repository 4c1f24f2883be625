import type { Service, ServiceSchema } from "moleculer";
import { filesMixin } from "../../service-kit/files.mixin.ts";
import { hashKeyMixin } from "../../service-kit/hash-key.mixin.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import { sealerFor } from "../../service-kit/sealer.ts";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { credentialKeys, usingCredentials } from "./credentials.ts";
import { listDeliveries, noteDeliveries } from "./deliveries.ts";
import { deliveries, WEBHOOK_SECRETS, webhooks as collection } from "./model.ts";
import type { WebhooksService } from "./service.ts";
import { test, trigger } from "./trigger.ts";
import { verify } from "./verify.ts";
import { create, get, list, listAll, purge, remove, rotateSecret, update, usage } from "./webhooks.ts";
import { importRecord } from "./import-record.ts";

const webhooks: ServiceSchema = {
  name: "webhooks",
  mixins: [hashKeyMixin, filesMixin, storeMixin([collection, deliveries])],
  actions: {
    takeOver: importRecord,
    ...{ create, list, listAll, get, update, rotateSecret, remove, test, verify, trigger, purge, usage },
    ...{ deliveries: listDeliveries, noteDeliveries, usingCredentials },
  },
  created(this: Service & Partial<WebhooksService>) {
    this.publicUrl = publicUrl();
    this.sealer = sealerFor(WEBHOOK_SECRETS);
    this.keyOf = credentialKeys(this.broker);
  },
};

export default webhooks;
