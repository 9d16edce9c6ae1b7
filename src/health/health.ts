import { type Actor, requireScope } from "../access/actor.ts";
import type { HealthMeasurements } from "./facts.ts";
import type { HealthFinding } from "./finding.ts";
import { judgeHealth } from "./judging.ts";

/** Collects the measurements for a report, within a few seconds. */
export type MeasureHealth = (now: Date) => Promise<HealthMeasurements>;

/** The current health of the site. @throws {AppError} `forbidden`, `unauthenticated`. */
export async function readHealth(
  measure: MeasureHealth,
  actor: Actor,
  now: Date,
): Promise<HealthFinding[]> {
  requireScope(actor, "metrics:read");
  return judgeHealth(await measure(now), now);
}
