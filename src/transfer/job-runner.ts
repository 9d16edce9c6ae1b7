import type { Actor } from "../access/actor.ts";
import { redactSecrets } from "../access/credentials.ts";
import type { KeyReader } from "../access/keys.ts";
import { type FiledProblem, importItems } from "../content/import/import-items.ts";
import { itemsInLines } from "../content/import/json-line.ts";
import type { ParsedItem } from "../content/import/parsed-item.ts";
import type { ContentRecord } from "../content/record.ts";
import { triedOut } from "../content/trial.ts";
import { AppError, isPassing } from "../errors.ts";
import type { Log } from "../log.ts";
import { exportItems } from "./exporting.ts";
import type { ImportChoices, ImportReport, Job, JobFiles, JobStore, RunnableJob } from "./job.ts";
import type { Snapshot } from "./snapshot.ts";

const PROBLEMS_KEPT_MAX = 1000;
const KEEP_UP_MILLISECONDS = 1000;
const TURN_MILLISECONDS = 5;
/** After this, a job whose process died is begun again by another. */
const CLAIM_MILLISECONDS = 30_000;
const KEPT_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;
const FORGET_EVERY_MILLISECONDS = 60 * 60 * 1000;

export interface JobRunnerParts {
  jobs: JobStore;
  files: JobFiles;
  content: ContentRecord;
  keys: Pick<KeyReader, "byId">;
  snapshot: () => Snapshot;
  now: () => Date;
  log: Log;
}

/**
 * Runs one job at a time, however many processes there are. A job that is cut off is begun again: an
 * export anew, an import over what it has taken in already, which is then unchanged.
 */
export class JobRunner {
  readonly #parts: JobRunnerParts;
  #running: Promise<void> | null = null;
  #isStopping = false;
  #forgotAt = 0;

  constructor(parts: JobRunnerParts) {
    this.#parts = parts;
  }

  /** Starts the next job, unless one runs; waits for none. */
  async work(): Promise<void> {
    const { jobs, now } = this.#parts;
    if (this.#running !== null || this.#isStopping) return;
    await this.#forget();
    if (!(await jobs.isWaiting(now()))) return;
    const claimedUntil = this.#claimEnds();
    const claimed = await jobs.write((transaction) => transaction.claim(now(), claimedUntil));
    if (claimed === null) return;
    this.#running = this.#run(claimed, claimedUntil)
      .catch((error: unknown) => {
        // Another process begins it again when the claim has run out.
        if (!isPassing(error)) this.#parts.log.error({ err: error }, "A job was lost");
      })
      .finally(() => {
        this.#running = null;
      });
  }

  /** Waits until the job under way has ended. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Gives the job under way back, to be run by the next process. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  async #run({ job, actor }: RunnableJob, claimedUntil: Date): Promise<void> {
    const { jobs, files } = this.#parts;
    const course: Course = { job, claimedUntil, isToStop: false, keepingUp: null };
    const keepUp = () => {
      course.keepingUp ??= this.#keepUp(course).finally(() => {
        course.keepingUp = null;
      });
    };
    const clock = setInterval(keepUp, KEEP_UP_MILLISECONDS);
    const end = await this.#ending(course, actor);
    clearInterval(clock);
    await course.keepingUp;
    if (end === null) return;
    const endedAt = end.state === "queued" ? null : this.#parts.now().toISOString();
    const ended = { ...course.job, ...end, endedAt };
    const isOurs = await jobs.write((transaction) =>
      transaction.settle(ended, course.claimedUntil),
    );
    if (isOurs && job.kind === "import" && endedAt !== null) await files.remove(job.id);
  }

  /** How a job ends; null: it is somebody else's by now. */
  async #ending(course: Course, actor: Actor): Promise<Pick<Job, "state" | "error"> | null> {
    const { jobs } = this.#parts;
    const { id, kind, choices } = course.job;
    try {
      await this.#requireValid(actor);
      if (kind === "export" || choices === null) await this.#export(course, actor);
      else await this.#import(course, actor, choices);
      return { state: "done", error: null };
    } catch (error) {
      if (!(error instanceof Halt)) return this.#failure(error, id);
      if (this.#isStopping) return { state: "queued", error: null };
      return (await jobs.job(id)) === null ? null : { state: "cancelled", error: null };
    }
  }

  /** A record that is away for a moment is no fault of the job, which is begun again. */
  #failure(error: unknown, id: string): Pick<Job, "state" | "error"> {
    if (isPassing(error)) return { state: "queued", error: null };
    if (error instanceof AppError) return { state: "failed", error: error.message };
    this.#parts.log.error({ err: error, job: id }, "A job failed");
    return { state: "failed", error: "Internal error" };
  }

  async #import(course: Course, actor: Actor, choices: ImportChoices): Promise<void> {
    const { content, now } = this.#parts;
    const problems: FiledProblem[] = [];
    const report: ImportReport = {
      ...{ created: 0, updated: 0, unchanged: 0, failed: 0 },
      problems,
      problemsTotal: 0,
    };
    const take = async (record: ContentRecord) =>
      await importItems(record, actor, this.#reading(course, choices), {
        now: now(),
        takeTurns: turns(),
        ...(choices.status === null ? {} : { status: choices.status }),
        onProblem(problem) {
          report.problemsTotal += 1;
          if (problems.length >= PROBLEMS_KEPT_MAX) return;
          problems.push({ ...problem, message: redactSecrets(problem.message) });
        },
        onProgress(done, counts) {
          const total = Math.max(done, course.job.progress.total);
          course.job = {
            ...course.job,
            progress: { done, total },
            report: { ...report, ...counts },
          };
        },
      });
    const counts = await (choices.isDryRun ? triedOut(content, take) : take(content));
    const { done } = course.job.progress;
    const progress = { done, total: done };
    course.job = { ...course.job, progress, report: { ...report, ...counts } };
  }

  /** The items of an import, each looked at whether the job is to go on. */
  async *#reading(course: Course, { isLenient }: ImportChoices): AsyncGenerator<ParsedItem> {
    const { files, content } = this.#parts;
    const options = {
      file: "",
      types: await content.types(),
      unknown: isLenient ? ("leave_out" as const) : ("refuse" as const),
    };
    for await (const parsed of itemsInLines(files.spooled(course.job.id), options)) {
      if (course.isToStop || this.#isStopping) throw new Halt();
      yield knownAgain(parsed);
    }
  }

  async #export(course: Course, actor: Actor): Promise<void> {
    const { files, snapshot } = this.#parts;
    await using moment = snapshot();
    const total = await moment.itemCount();
    const isToHalt = () => course.isToStop || this.#isStopping;
    const texts = async function* () {
      let done = 0;
      for await (const { items, text } of exportItems(moment, actor)) {
        if (isToHalt()) throw new Halt();
        done += items;
        course.job = { ...course.job, progress: { done, total } };
        yield text;
      }
    };
    await files.writeResult(course.job.id, texts());
  }

  /** What was asked for with a key is not done once the key was revoked. */
  async #requireValid(actor: Actor): Promise<void> {
    if (actor.kind !== "key") return;
    const key = await this.#parts.keys.byId(actor.keyId);
    if (key === null || key.revokedAt !== null) {
      throw new AppError("forbidden", "The key that asked for this was revoked");
    }
  }

  async #keepUp(course: Course): Promise<void> {
    const claim = { held: course.claimedUntil, until: this.#claimEnds() };
    try {
      const goesOn = await this.#parts.jobs.write((transaction) =>
        transaction.keepUp(course.job, claim),
      );
      if (goesOn) course.claimedUntil = claim.until;
      else course.isToStop = true;
    } catch (error) {
      if (isPassing(error)) return;
      this.#parts.log.error({ err: error }, "The progress of a job was not kept");
    }
  }

  async #forget(): Promise<void> {
    const { jobs, files, now } = this.#parts;
    if (now().getTime() - this.#forgotAt < FORGET_EVERY_MILLISECONDS) return;
    this.#forgotAt = now().getTime();
    const before = new Date(now().getTime() - KEPT_MILLISECONDS);
    const known = await jobs.write(async (transaction) => {
      await transaction.forget(before);
      return await transaction.ids();
    });
    await files.clear(known, now());
  }

  #claimEnds(): Date {
    return new Date(this.#parts.now().getTime() + CLAIM_MILLISECONDS);
  }
}

/** A job under way, with how far it is. */
interface Course {
  job: Job;
  /** By which the claim of this process is known. */
  claimedUntil: Date;
  isToStop: boolean;
  keepingUp: Promise<void> | null;
}

/** Lets others have the processor after every few milliseconds of work. */
function turns(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < TURN_MILLISECONDS) return;
    await new Promise((resolve) => setImmediate(resolve));
    begun = performance.now();
  };
}

/** Ends a job in the middle of its work. */
class Halt extends Error {}

/** An import may be begun again, so that each item must be recognised when it comes twice. */
function knownAgain(parsed: ParsedItem): ParsedItem {
  const { input } = parsed;
  if (input === null || (input.sourceKey ?? input.path ?? input.slug) !== undefined) return parsed;
  const message = "needs a sourceKey or a path, by which it is known when it comes again";
  const problem = { ...parsed.placeOf(""), message, severity: "error" as const };
  return { ...parsed, input: null, problems: [...parsed.problems, problem] };
}
