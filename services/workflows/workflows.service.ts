import type { Template } from "../../contracts/entities/template.ts";
import type { Service, ServiceSchema } from "moleculer";
import { publishingActions, workspacePublisherMixin } from "../../service-kit/workspace-publisher.ts";
import { outboxMixin } from "../../service-kit/outbox.mixin.ts";
import { storeMixin, type WithStore } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { catalog } from "./catalog.ts";
import { check, duplicate, exportOne, importOne } from "./copies.ts";
import { usingCredentials } from "./credential-uses.ts";
import { existing } from "./file-holds.ts";
import { diff, restoreVersion } from "./history.ts";
import { find } from "./find.ts";
import { importNotices } from "./import-notices.ts";
import { listAll } from "./list-all.ts";
import { restore, star, trash } from "./marks.ts";
import { versions as versionCollection, workflows as workflowCollection } from "./model.ts";
import { count, names } from "./names.ts";
import { workflowEvents } from "./workspace-events.ts";
import { get, list, runnable, snapshot, states, validate, version, versions } from "./read.ts";
import { purge, remove, sweepWorkflows } from "./remove.ts";
import { nodeTypes } from "./node-types.ts";
import { toolUsers } from "./tool-users.ts";
import { usingTools } from "./tool-uses.ts";
import { fromTemplate, loadTemplates, templates, type WithTemplates } from "./templates.ts";
import { drafts as draftCollection, samples as sampleCollection, sampleSets } from "./draft-model.ts";
import { getDraft, purgeDrafts, removeDraft, sweepDrafts, updateDraft } from "./drafts.ts";
import { existingSamples, listSamples, readSamples, removeSample, updateSample } from "./samples.ts";
import { workflowTools } from "./tool-model.ts";
import { tools } from "./tools.ts";
import { create, update } from "./write.ts";
import { callers } from "./callers.ts";
import { deploy, listDeployments } from "./deploy.ts";
import { deployments as deploymentCollection } from "./deployment-model.ts";
import { endPresence, getPresence, presences, reportPresence, sweepPresences } from "./presence.ts";
import { importRecord } from "./import-record.ts";

const workflows: ServiceSchema = {
  name: "workflows",
  mixins: [
    sweepMixin(async function (this: Service & WithStore, now: Date) {
      await sweepWorkflows.call(this, now);
      await sweepDrafts.call(this, now);
      await sweepPresences.call(this, now);
    }),
    outboxMixin(importNotices),
    workspacePublisherMixin,
    storeMixin([
      workflowCollection,
      versionCollection,
      workflowTools,
      draftCollection,
      sampleCollection,
      sampleSets,
      deploymentCollection,
      presences,
    ]),
  ],
  actions: publishingActions(
    {
      takeOver: importRecord,
      create,
      list,
      listAll,
      find,
      get,
      update,
      remove,
      deploy,
      star,
      trash,
      restore,
      versions,
      version,
      diff,
      restoreVersion,
      validate,
      check,
      duplicate,
      export: exportOne,
      import: importOne,
      nodeTypes,
      templates,
      fromTemplate,
      runnable,
      snapshot,
      states,
      names,
      count,
      usingTools,
      toolUsers,
      usingCredentials,
      catalog,
      tools,
      "samples.list": listSamples,
      "samples.update": updateSample,
      "samples.remove": removeSample,
      "samples.existing": existingSamples,
      "samples.read": readSamples,
      deployments: listDeployments,
      callers,
      "presence.get": getPresence,
      "presence.report": reportPresence,
      "presence.end": endPresence,
      "drafts.get": getDraft,
      "drafts.update": updateDraft,
      "drafts.remove": removeDraft,
      "drafts.purge": purgeDrafts,
      purge,
      existing,
    },
    workflowEvents,
  ),
  created(this: Service & Partial<WithTemplates>) {
    let known: Template[] | undefined;
    // Checking the templates takes a tenth of the start, so it waits for the first request.
    this.templates = () => (known ??= loadTemplates(this.logger));
  },
};

export default workflows;
