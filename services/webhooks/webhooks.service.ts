import type { Service, ServiceSchema } from "moleculer";
import { hashKeyMixin } from "../../service-kit/hash-key.mixin.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { webhooks as collection } from "./model.ts";
import type { WebhooksService } from "./service.ts";
import { trigger } from "./trigger.ts";
import { create, list, listAll, purge, remove, verify } from "./webhooks.ts";

const webhooks: ServiceSchema = {
  name: "webhooks",
  mixins: [hashKeyMixin, storeMixin([collection])],
  actions: { create, list, listAll, remove, verify, trigger, purge },
  created(this: Service & Partial<WebhooksService>) {
    this.publicUrl = publicUrl();
  },
};

export default webhooks;
