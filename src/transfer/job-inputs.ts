import type { Job, JobFiles, JobReader } from "./job.ts";

/** Number of input files kept, so that recent imports can be corrected and repeated. */
const INPUTS_KEPT_MAX = 10;
/**
 * How many of the latest jobs are examined for old input files. The number of jobs that end between two calls
 * is always smaller.
 */
const JOBS_EXAMINED_MAX = 60;

/** The id under which an import's file is stored. */
export function importInputId({ id, choices }: Pick<Job, "id" | "choices">): string {
  return choices?.inputOf ?? id;
}

/**
 * Removes the input of an import that was completed without conflicts and was no dry run. Any other input
 * is kept until {@link INPUTS_KEPT_MAX} later imports have an input.
 */
export async function pruneImportInputs(
  job: Job,
  end: Job["state"],
  { jobs, files }: { jobs: JobReader; files: JobFiles },
): Promise<void> {
  const { kind, choices, report } = job;
  if (kind !== "import" || choices === null) return;
  if (end === "done" && !choices.isDryRun && report?.conflicts === 0) {
    await files.removeInput(importInputId(job));
    return;
  }
  const latestImports = (await jobs.jobs({ limit: JOBS_EXAMINED_MAX })).filter(
    (each) => each.kind === "import",
  );
  const inUse = new Set(latestImports.filter(({ endedAt }) => endedAt === null).map(importInputId));
  const inputs = [...new Set(latestImports.map(importInputId))];
  for (const id of inputs.slice(INPUTS_KEPT_MAX)) if (!inUse.has(id)) await files.removeInput(id);
}
