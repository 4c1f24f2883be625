import type { Service, ServiceSchema } from "moleculer";
import { storeMixin, type WithStore } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { purge, sweepExpired } from "./bounds.ts";
import { Deliveries } from "./deliveries.ts";
import { countUnread, list, read, readAll, remove, since } from "./inbox.ts";
import { mailMixin } from "./mail/mail.mixin.ts";
import { mails } from "./mail/model.ts";
import { sendMail } from "./mail/send.ts";
import { notifications as collection } from "./model.ts";
import { notify, type WithDeliveries } from "./notify.ts";

const notifications: ServiceSchema = {
  name: "notifications",
  mixins: [sweepMixin(sweepExpired), mailMixin, storeMixin([collection, mails])],
  actions: { list, countUnread, read, readAll, remove, since, notify, purge, "mail.send": sendMail },
  started(this: Service & Partial<WithStore & WithDeliveries>) {
    if (!this.store) throw new Error("the store mixin starts before this service does");
    this.deliveries = new Deliveries(this.store, this.broker);
    return Promise.resolve();
  },
};

export default notifications;
