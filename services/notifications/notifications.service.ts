import type { Service, ServiceSchema } from "moleculer";
import { hashKeyMixin, type WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { hasMail } from "../../service-kit/mail.ts";
import { storeMixin, type WithStore } from "../../service-kit/store.mixin.ts";
import { type WithSweep, sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { forgetUser, purge, sweepExpired } from "./bounds.ts";
import { Deliveries } from "./deliveries.ts";
import { countUnread, list, read, readAll, remove, since } from "./inbox.ts";
import { mailMixin } from "./mail/mail.mixin.ts";
import { mailNotices } from "./notice-mails.ts";
import { mails } from "./mail/model.ts";
import { sendMail } from "./mail/send.ts";
import { notifications as collection } from "./model.ts";
import { notify, type WithDeliveries } from "./notify.ts";

async function sweep(this: Service & WithStore & WithHashKey, now: Date): Promise<void> {
  await mailNotices.call(this, now);
  await sweepExpired.call(this, now);
}

const notifications: ServiceSchema = {
  name: "notifications",
  mixins: [sweepMixin(sweep), mailMixin, hashKeyMixin, storeMixin([collection, mails])],
  actions: { list, countUnread, read, readAll, remove, since, notify, forgetUser, purge, "mail.send": sendMail },
  started(this: Service & Partial<WithStore & WithDeliveries & WithSweep>) {
    if (!this.store) throw new Error("the store mixin starts before this service does");
    this.deliveries = new Deliveries(this.store, this.broker, () => hasMail() && this.sweeper?.soon());
    return Promise.resolve();
  },
};

export default notifications;
