import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { createLog } from "../../src/log.ts";
import { openJobFolder } from "../../src/storage/jobs/job-folder.ts";
import { requestImport } from "../../src/transfer/import-requests.ts";
import type { Job, JobFiles, JobStore } from "../../src/transfer/job.ts";
import { createJobQueue, pruneJobs } from "../../src/transfer/job-queue.ts";
import { cancelJob, requestExport } from "../../src/transfer/jobs.ts";
import { type BackgroundWorker, QueueWorker } from "../../src/work/queue-worker.ts";
import { NOW, OPERATOR, openRecordStore, type RecordStore } from "../support/record-store.ts";

const JOB_PROCESS = join(import.meta.dirname, "../support/job-process.ts");
const COUNT = 8000;

interface Scene extends AsyncDisposable {
  store: RecordStore;
  files: JobFiles;
  clock: { now: Date };
  runner(jobs?: JobStore): BackgroundWorker & { settled(): Promise<void> };
  start(lines?: string): Promise<Job>;
  job(id: string): Promise<Job | null>;
}

async function openScene(): Promise<Scene> {
  const store = await openRecordStore();
  const { jobs, content, dryRun, keys, admins, snapshot } = store.record;
  const files = openJobFolder(jobsFolder(store));
  const clock = { now: NOW };
  const log = createLog("silent");
  return {
    store,
    files,
    clock,
    runner: (jobsOfRunner = jobs) =>
      new QueueWorker(
        createJobQueue({
          jobs: jobsOfRunner,
          files,
          content,
          dryRun,
          mediaFiles: { find: async () => null },
          importFile: () => Promise.reject(new Error("Only lines are imported here")),
          copyLiveSite: () => Promise.reject(new Error("Only lines are imported here")),
          keys,
          admins,
          snapshot,
          now: () => clock.now,
          steadyNow: () => clock.now,
          log,
        }),
        log,
      ),
    start: async (lines = topics()) =>
      await requestImport({ jobs, files }, OPERATOR, {
        file: { name: "", bytes: () => ReadableStream.from([Buffer.from(lines)]) },
        bytesAtLeast: 0,
        choices: { status: null, isLenient: false, isDryRun: false },
        now: clock.now,
      }),
    job: async (id) => await jobs.job(id),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function jobsFolder({ file }: RecordStore): string {
  return join(dirname(file), "jobs");
}

function topics(count = COUNT): string {
  return Array.from(
    { length: count },
    (_, n) => `${JSON.stringify({ type: "topic", sourceKey: `t${n}`, title: `Topic ${n}` })}\n`,
  ).join("");
}

/** The store for a process that claims a job but cannot end it until then. */
function claimingOnly(jobs: JobStore, until: Promise<void>): JobStore {
  let writes = 0;
  return {
    job: (id) => jobs.job(id),
    jobs: (options) => jobs.jobs(options),
    isWaiting: (now) => jobs.isWaiting(now),
    write: async (change) => {
      writes += 1;
      if (writes > 1) await until;
      return await jobs.write(change);
    },
  };
}

async function itemCount({ record }: RecordStore): Promise<number> {
  await using snapshot = record.snapshot();
  return await snapshot.itemCount();
}

describe("a job", () => {
  it("that another process took over, its own claim having run out, is left to that one", async () => {
    await using scene = await openScene();
    const { id } = await scene.start(topics(1000));
    const late = scene.runner();
    const lateNotices = Promise.withResolvers<void>();
    const next = scene.runner(claimingOnly(scene.store.record.jobs, lateNotices.promise));
    await late.work();
    scene.clock.now = new Date(NOW.getTime() + 60_000);
    await next.work();
    await late.settled();
    assert.equal((await scene.job(id))?.state, "running");
    lateNotices.resolve();
    await next.settled();
    const job = await scene.job(id);
    assert.deepEqual([job?.state, job?.error, job?.progress.done], ["done", null, 1000]);
    assert.equal(await itemCount(scene.store), 1000);
  });

  it("that a stop interrupts is given back, and ended by the next process", async () => {
    await using scene = await openScene();
    const { id } = await scene.start();
    const first = scene.runner();
    await first.work();
    while ((await itemCount(scene.store)) === 0) await new Promise((go) => setTimeout(go, 5));
    await first.stop();
    const left = await scene.job(id);
    assert.equal(left?.state, "queued");
    assert((await itemCount(scene.store)) < COUNT);
    const second = scene.runner();
    await second.work();
    await second.settled();
    const job = await scene.job(id);
    assert.deepEqual([job?.state, job?.error], ["done", null]);
    assert.equal(await itemCount(scene.store), COUNT);
    const { created, unchanged } = job?.report ?? {};
    assert.equal((created ?? 0) + (unchanged ?? 0), COUNT);
    assert((unchanged ?? 0) > 0);
  });

  it("whose process is killed is begun again once its claim has ended, and ends the same", async () => {
    await using scene = await openScene();
    const { id } = await scene.start();
    const killed = spawn(process.execPath, [
      JOB_PROCESS,
      scene.store.place,
      jobsFolder(scene.store),
      NOW.toISOString(),
    ]);
    const closed = once(killed, "close");
    while ((await itemCount(scene.store)) === 0) {
      assert.equal(killed.exitCode, null, "the process ends before it saves an item");
      await new Promise((go) => setTimeout(go, 5));
    }
    killed.kill("SIGKILL");
    await closed;
    const runner = scene.runner();
    await runner.work();
    assert.equal((await scene.job(id))?.state, "running", "still claimed");
    scene.clock.now = new Date(NOW.getTime() + 61_000);
    await runner.work();
    await runner.settled();
    assert.equal((await scene.job(id))?.state, "done");
    assert.equal(await itemCount(scene.store), COUNT);
  });

  it("whose process dies three times has failed and says so, and the next one runs", async () => {
    await using scene = await openScene();
    const { id } = await scene.start(topics(3));
    const next = await scene.start(topics(2));
    const { jobs } = scene.store.record;
    for (let deaths = 0; deaths < 3; deaths += 1) {
      const until = new Date(scene.clock.now.getTime() + 30_000);
      const claimed = await jobs.write((transaction) => transaction.claim(scene.clock.now, until));
      assert.equal(claimed?.job.id, id);
      scene.clock.now = new Date(until.getTime() + 1000);
    }
    const runner = scene.runner();
    await runner.work();
    await runner.settled();
    const job = await scene.job(id);
    assert.equal(job?.state, "failed");
    assert.match(job?.error?.en ?? "", /stopped 3 times while this ran.*split a large file/);
    assert.match(job?.error?.de ?? "", /brach dabei 3-mal ab/);
    assert.notEqual(job?.endedAt, null);
    await runner.work();
    await runner.settled();
    assert.equal((await scene.job(next.id))?.state, "done");
    assert.equal(await itemCount(scene.store), 2);
  });

  it("runs alone, however many processes there are", async () => {
    await using scene = await openScene();
    const one = await scene.start();
    const other = await scene.start("");
    const runners = [scene.runner(), scene.runner()];
    for (const runner of runners) await runner.work();
    assert.equal((await scene.job(one.id))?.state, "running");
    assert.equal((await scene.job(other.id))?.state, "queued");
    for (const runner of runners) await runner.settled();
    for (const runner of runners) await runner.work();
    for (const runner of runners) await runner.settled();
    assert.equal((await scene.job(other.id))?.state, "done");
  });

  it("whose end cannot be read stores no more progress", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    await using scene = await openScene();
    const { jobs } = scene.store.record;
    const { id } = await scene.start();
    let writes = 0;
    const runner = scene.runner({
      job: () => Promise.reject(new Error("The store is busy")),
      jobs: (options) => jobs.jobs(options),
      isWaiting: (now) => jobs.isWaiting(now),
      write: (change) => {
        writes += 1;
        return jobs.write(change);
      },
    });
    await runner.work();
    await cancelJob(jobs, OPERATOR, id, { now: NOW });
    t.mock.timers.tick(1000);
    await runner.settled();
    const before = writes;
    t.mock.timers.tick(5000);
    assert.equal(writes, before);
  });

  it("whose file is gone says so", async () => {
    await using scene = await openScene();
    const { id } = await scene.start();
    await scene.files.removeInput(id);
    const runner = scene.runner();
    await runner.work();
    await runner.settled();
    const job = await scene.job(id);
    assert.deepEqual(
      [job?.state, job?.error?.en],
      ["failed", "The file of this import no longer exists; send it again"],
    );
  });

  it("is forgotten with its file after a week", async () => {
    await using scene = await openScene();
    const { id } = await requestExport(scene.store.record.jobs, OPERATOR, { now: NOW });
    const runner = scene.runner();
    await runner.work();
    await runner.settled();
    assert.notEqual(await scene.files.openResult(id), null);
    const { jobs } = scene.store.record;
    await pruneJobs({ jobs, files: scene.files }, new Date(Date.now() + 8 * 24 * 60 * 60 * 1000));
    assert.equal(await scene.job(id), null);
    assert.equal(await scene.files.openResult(id), null);
  });
});
