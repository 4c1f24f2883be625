import type { Context, Service, ServiceSchema } from "moleculer";
import { v7 as uuid } from "uuid";
import { createExpressions } from "../../adapters/expressions/index.ts";
import { createGuardedConnect } from "../../adapters/net/guarded-connect.ts";
import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";
import { SqlPools } from "../../adapters/sql/pools.ts";
import { config } from "../../config.ts";
import type { EventOf } from "../../contracts/events.ts";
import { filesMixin, type WithFiles } from "../../service-kit/files.mixin.ts";
import { throttledWarn } from "../../service-kit/throttled-warn.ts";
import { onThisNode } from "../../service-kit/on-this-node.mixin.ts";
import { hashKeyMixin, type WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { outboxMixin, type WithOutbox } from "../../service-kit/outbox.mixin.ts";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { usageMeterMixin } from "../../service-kit/usage-meter.mixin.ts";
import { ConcurrencyLimit } from "../../service-kit/concurrency-limit.ts";
import { addFile, beginFile } from "./actions/attach-file.ts";
import { countUnfinished, queue, worker } from "./actions/read-queue.ts";
import { approve, respond } from "./actions/answer-execution.ts";
import { cancelBulk, getBulk, startBulk } from "./actions/bulk-jobs.ts";
import { startBulkWork } from "./actions/bulk-work.ts";
import { cancel } from "./actions/cancel-execution.ts";
import { RemoteEnds } from "./engine/remote-ends.ts";
import { Engine } from "./engine/engine.ts";
import { FollowerRegistry } from "./engine/follower-registry.ts";
import { bulkNotices } from "./upkeep/bulk-notices.ts";
import { executionNotices } from "./upkeep/notices.ts";
import { FollowUps } from "./upkeep/follow-ups.ts";
import { previewValues } from "./actions/preview-values.ts";
import { testRun } from "./actions/test-run.ts";
import { testStep } from "./actions/test-step.ts";
import { createSandbox } from "../../adapters/sandbox/index.ts";
import { createSpreadsheets } from "../../adapters/spreadsheets/index.ts";
import { launchExecution } from "./actions/launch-execution.ts";
import { meteredObserver } from "./engine/meter-runs.ts";
import { engineObserver } from "./engine/observe-runs.ts";
import type { EngineService } from "./engine/service.ts";
import { freeSlot } from "./engine/start-quota.ts";
import { watchQueue } from "./upkeep/watch-queue.ts";
import { list, listAll } from "./actions/list-executions.ts";
import { BulkJobs, BulkRuns } from "./store/bulk-model.ts";
import { RunLabels } from "./store/labels.ts";
import { Signals, Waits } from "./store/signal-model.ts";
import { Answers, Executions, Journal, Slots, Workers } from "./store/model.ts";
import { steps } from "./actions/list-steps.ts";
import { Outlines } from "./store/outlines.ts";
import { compare } from "./actions/compare-runs.ts";
import { search } from "./actions/search-run.ts";
import { output, existing, getOne, locate, progress, summaries } from "./actions/read-executions.ts";
import { Values } from "./store/values.ts";
import { OrphanJournals } from "./upkeep/remove-orphan-journals.ts";
import { purge } from "./upkeep/purge-executions.ts";
import { logEntry, logs } from "./actions/read-log.ts";
import { answerLink, readLink } from "./actions/answer-link.ts";
import { answers } from "./actions/list-answers.ts";
import { countQuestions, find, questions } from "./actions/list-questions.ts";
import { update } from "./actions/update-execution.ts";
import { planRetry } from "./actions/plan-retry.ts";
import { retry } from "./actions/retry-execution.ts";
import type { ExecutionsService } from "./upkeep/service.ts";
import { admitResume } from "./actions/admit-resume.ts";
import { readResume } from "./actions/resume-link.ts";
import { resume, signal } from "./actions/send-signal.ts";
import { startExecution } from "./actions/start-execution.ts";
import { FinishedRunCounter } from "./stats/finished-run-counter.ts";
import { DurationFilling } from "./upkeep/fill-durations.ts";
import { DayStats, WorkflowStats } from "./stats/model.ts";
import { stats, statsAll } from "./actions/read-stats.ts";
import { sweepExecutions } from "./upkeep/sweep.ts";

type Self = Service & Partial<ExecutionsService & WithOutbox & WithFiles & WithHashKey>;

/** A read may need several MiB. Many reads at once must neither fill the memory nor delay the runs. */
const READS_AT_ONCE = 4;

const service: ServiceSchema = {
  name: "executions",
  mixins: [
    sweepMixin(sweepExecutions),
    outboxMixin(executionNotices, bulkNotices),
    onThisNode("execution.appended", "mcp.call.progress", "models.call.words"),
    filesMixin,
    hashKeyMixin,
    usageMeterMixin,
    storeMixin([
      ...[Executions, Journal, Answers, RunLabels, Slots, Waits, Signals, Workers],
      ...[DayStats, WorkflowStats, BulkJobs, BulkRuns],
    ]),
  ],
  actions: {
    start: startExecution,
    launch: launchExecution,
    list,
    listAll,
    stats,
    statsAll,
    get: getOne,
    progress,
    locate,
    existing,
    summaries,
    queue,
    worker,
    find,
    questions,
    answers,
    countQuestions,
    countUnfinished,
    logs,
    logEntry,
    steps,
    output,
    search,
    compare,
    respond,
    approve,
    "files.begin": beginFile,
    "files.add": addFile,
    cancel,
    retry,
    retryPlan: planRetry,
    "bulk.start": startBulk,
    "bulk.get": getBulk,
    "bulk.cancel": cancelBulk,
    update,
    signal,
    resume,
    "resume.admit": admitResume,
    "resume.read": readResume,
    test: testStep,
    testRun,
    "link.read": readLink,
    "link.answer": answerLink,
    preview: previewValues,
    purge,
  },
  events: {
    "execution.queued"(this: Self) {
      this.engine?.poke();
    },
    "execution.cancelled"(this: Self, ctx: Context<EventOf<"execution.cancelled">>) {
      this.engine?.abort(ctx.params.executionId, { undoes: ctx.params.undoes === true });
    },
    "execution.signalled"(this: Self, ctx: Context<EventOf<"execution.signalled">>) {
      this.engine?.signalled(ctx.params.executionId);
    },
    "execution.watched"(this: Self, ctx: Context<EventOf<"execution.watched">>) {
      this.watch?.add(ctx.params.executionId, ctx.params.forMs, ctx.nodeID ?? "");
      this.engine?.stepParts.modelWords.followed(ctx.params.executionId);
    },
    "workspace.watched"(this: Self, ctx: Context<EventOf<"workspace.watched">>) {
      this.watch?.news.add(ctx.params, ctx.nodeID ?? "");
    },
    "mcp.call.progress"(this: Self, ctx: Context<EventOf<"mcp.call.progress">>) {
      this.engine?.stepParts.toolCalls.heard(ctx.params);
    },
    "models.call.words"(this: Self, ctx: Context<EventOf<"models.call.words">>) {
      this.engine?.stepParts.modelWords.heard(ctx.params);
    },
    "credential.changed"(this: Self, ctx: Context<EventOf<"credential.changed">>) {
      this.databases?.retire(ctx.params.id);
    },
    "execution.appended"(this: Self, ctx: Context<EventOf<"execution.appended">>) {
      this.engine?.heardOf(ctx.params.executionId);
    },
  },
  async started(this: Self) {
    const {
      EXECUTIONS_CONCURRENCY,
      EXECUTIONS_PER_WORKSPACE,
      SQL_CONNECTIONS,
      SQL_CONNECTIONS_TOTAL,
      WORKER_LEASE_MS,
      OUTBOUND_ALLOW,
      METRICS_PORT,
      MAX_OUTPUT_BYTES,
    } = config();
    const { store, broker, logger } = this;
    if (!store) throw new Error("the store mixin starts before this service does");
    const warn = throttledWarn(logger);
    this.launches = new Map();
    this.keyed = new Map();
    this.reads = new ConcurrencyLimit(READS_AT_ONCE);
    this.orphanJournals = new OrphanJournals(store);
    this.outlines = new Outlines(store);
    this.endsElsewhere = new RemoteEnds(store, id => this.engine?.waiters.ended(id, null));
    this.counting = new FinishedRunCounter(store, throttledWarn(logger));
    this.durations = new DurationFilling(store);
    const net = (this.net = createGuardedFetch({ allow: OUTBOUND_ALLOW }));
    const connect = createGuardedConnect({ allow: OUTBOUND_ALLOW });
    const databases = (this.databases = new SqlPools({ connect, max: SQL_CONNECTIONS, total: SQL_CONNECTIONS_TOTAL }));
    const expressions = (this.expressions = createExpressions());
    const watch = (this.watch = new FollowerRegistry(broker));
    const values = (this.values = new Values(this.files!, MAX_OUTPUT_BYTES));
    const sandbox = (this.sandbox = createSandbox());
    const spreadsheets = (this.spreadsheets = createSpreadsheets());
    const followUps = (this.followUps = new FollowUps(this as Service & ExecutionsService));
    this.engine = new Engine(
      {
        workerId: uuid(),
        hashKey: this.hashKey!,
        store,
        broker,
        logger,
        expressions,
        sandbox,
        spreadsheets,
        values,
        watch,
        observer: meteredObserver(engineObserver, this.usage!, doc => {
          freeSlot(this as Self & EngineService, doc).catch((error: unknown) =>
            warn("The slot of a finished run could not be released.", error),
          );
        }),
        stream: request => net.stream(request),
        connect,
        databases,
        cancel: (workspaceId, id, compensate) => followUps.cancelById(workspaceId, id, compensate),
        followUp: doc => {
          if (doc.followUp) followUps.soon(doc);
          if (doc.tellAt) this.outbox?.soon();
        },
      },
      { concurrency: EXECUTIONS_CONCURRENCY, perWorkspace: EXECUTIONS_PER_WORKSPACE, leaseMs: WORKER_LEASE_MS },
    );
    await this.engine.start();
    followUps.start();
    this.bulk = startBulkWork(this as Service & ExecutionsService & WithOutbox);
    const limits = { concurrency: EXECUTIONS_CONCURRENCY, perWorkspace: EXECUTIONS_PER_WORKSPACE };
    if (METRICS_PORT > 0) this.queueWatch = watchQueue(store, limits, throttledWarn(logger));
  },
  methods: {
    async beforeDrain(this: Self) {
      await this.engine?.stop();
    },
  },
  async stopped(this: Self) {
    await Promise.all([this.engine?.stop(), this.bulk?.stop()]);
    await this.queueWatch?.stop();
    await this.followUps?.stop();
    this.databases?.close();
    await this.sandbox?.close();
    await this.spreadsheets?.close();
    await this.expressions?.close();
    await this.net?.close();
  },
};

export default service;
