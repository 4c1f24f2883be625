import type { Service, ServiceSchema } from "moleculer";
import { config } from "../../config.ts";
import { hashKeyMixin } from "../../mixins/hash-key.mixin.ts";
import { storeMixin } from "../../mixins/store.mixin.ts";
import { webhooks as collection } from "./model.ts";
import type { WebhooksService } from "./service.ts";
import { trigger } from "./trigger.ts";
import { create, list, purge, remove, verify } from "./webhooks.ts";

const webhooks: ServiceSchema = {
  name: "webhooks",
  mixins: [hashKeyMixin, storeMixin([collection])],
  actions: { create, list, remove, verify, trigger, purge },
  created(this: Service & Partial<WebhooksService>) {
    const { PUBLIC_URL, PORT } = config();
    this.publicUrl = (PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, "");
  },
};

export default webhooks;
