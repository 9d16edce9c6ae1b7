import type { Job, JobFiles, JobReader } from "./job.ts";

/** Number of input files kept, so that recent imports can be corrected and repeated. */
const INPUTS_KEPT_MAX = 10;
/** More jobs than can end between two calls. */
const JOBS_SEEN = 60;

/** The id under which an import's file is stored. */
export function inputIdOf({ id, choices }: Pick<Job, "id" | "choices">): string {
  return choices?.inputOf ?? id;
}

/**
 * Removes the file of an import that has ended. After a dry run or a failed import, it is kept
 * until later ones replace it.
 */
export async function dropInputs(
  job: Job,
  end: Job["state"],
  { jobs, files }: { jobs: JobReader; files: JobFiles },
): Promise<void> {
  const { kind, choices } = job;
  if (kind !== "import" || choices === null) return;
  if (end === "done" && !choices.isDryRun) {
    await files.remove(inputIdOf(job));
    return;
  }
  const latest = (await jobs.jobs({ limit: JOBS_SEEN })).filter((each) => each.kind === "import");
  const inUse = new Set(latest.filter(({ endedAt }) => endedAt === null).map(inputIdOf));
  const inputs = [...new Set(latest.map(inputIdOf))];
  for (const id of inputs.slice(INPUTS_KEPT_MAX)) if (!inUse.has(id)) await files.remove(id);
}
