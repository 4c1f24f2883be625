import type { ServiceSchema } from "moleculer";
import { filesMixin } from "../../service-kit/files.mixin.ts";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { hold, release } from "./holds.ts";
import { fileHolds, files as collection, fileUsage } from "./model.ts";
import { purge, total, usage } from "./purge.ts";
import { list, locate, open, remove } from "./read.ts";
import { state } from "./state.ts";
import { sweepFiles } from "./sweep.ts";
import { add, begin, create, discard, publishUpload, reserve, uploaded } from "./uploads.ts";

const files: ServiceSchema = {
  name: "files",
  mixins: [sweepMixin(sweepFiles), filesMixin, storeMixin([collection, fileHolds, fileUsage])],
  actions: {
    begin,
    reserve,
    uploaded,
    add,
    publish: publishUpload,
    create,
    discard,
    open,
    locate,
    list,
    remove,
    hold,
    release,
    state,
    purge,
    usage,
    total,
  },
};

export default files;
