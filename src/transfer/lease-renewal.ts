import { AppError, isTransientError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { JobStore, RunningJob } from "./job.ts";

const RENEW_MILLISECONDS = 1000;
/** Lease duration: another process may take over a job whose claim was not renewed within this time. */
const CLAIM_MILLISECONDS = 30_000;

interface RenewalParts {
  jobs: JobStore;
  /** A clock that does not jump. */
  steadyNow: () => Date;
  log: Log;
  /** @throws {AppError} `forbidden` if the job must end, because its key was revoked, for example. */
  requireAllowed(): Promise<unknown>;
}

/**
 * Stores progress, renews the claim and checks the permission every second, and cancels the job if either is
 * lost.
 *
 * @returns a function that stops the renewal.
 */
export function renewLeaseEverySecond(
  running: RunningJob,
  cancellation: AbortController,
  parts: RenewalParts,
): () => Promise<void> {
  let renewal: Promise<void> | null = null;
  const timer = setInterval(() => {
    renewal ??= renewClaim(running, cancellation, parts).finally(() => {
      renewal = null;
    });
  }, RENEW_MILLISECONDS);
  return async () => {
    clearInterval(timer);
    await renewal;
  };
}

async function renewClaim(
  running: RunningJob,
  cancellation: AbortController,
  { jobs, steadyNow, log, requireAllowed }: RenewalParts,
): Promise<void> {
  const claim = { heldUntil: running.claimedUntil, until: jobLeaseExpiry(steadyNow()) };
  try {
    const isRenewed = await jobs.write((transaction) => transaction.renewClaim(running.job, claim));
    if (isRenewed) running.claimedUntil = claim.until;
    else cancellation.abort();
    await requireAllowed();
  } catch (error) {
    if (error instanceof AppError && error.code === "forbidden") cancellation.abort(error);
    else if (!isTransientError(error))
      log.error({ err: error }, "The progress of a job was not stored");
  }
}

/** When a claim made at this time expires. */
export function jobLeaseExpiry(now: Date): Date {
  return new Date(now.getTime() + CLAIM_MILLISECONDS);
}
