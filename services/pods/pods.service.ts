import type { ServiceSchema } from "moleculer";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { pods as podCollection, spaces as spaceCollection } from "./model.ts";
import { create, get, list, update } from "./pods.ts";
import { purge, removePod, removeSpace, sweepPods } from "./remove.ts";
import { createDefaultSpace, createSpace, getSpace, listSpaces, spaceExists, updateSpace } from "./spaces.ts";
import { importRecord } from "./import-record.ts";

const pods: ServiceSchema = {
  name: "pods",
  mixins: [sweepMixin(sweepPods), storeMixin([podCollection, spaceCollection])],
  actions: {
    takeOver: importRecord,
    create,
    list,
    get,
    update,
    remove: removePod,
    purge,
    "spaces.create": createSpace,
    "spaces.createDefault": createDefaultSpace,
    "spaces.list": listSpaces,
    "spaces.get": getSpace,
    "spaces.update": updateSpace,
    "spaces.remove": removeSpace,
    "spaces.exists": spaceExists,
  },
};

export default pods;
