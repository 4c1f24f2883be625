import type { ServiceSchema } from "moleculer";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { variables as collection } from "./model.ts";
import { get, getOfSpace, purge, read, update, updateOfSpace } from "./variables.ts";

const variables: ServiceSchema = {
  name: "variables",
  mixins: [storeMixin([collection])],
  actions: { get, update, "ofSpace.get": getOfSpace, "ofSpace.update": updateOfSpace, read, purge },
};

export default variables;
