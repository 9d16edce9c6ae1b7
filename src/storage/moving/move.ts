import { AppError, englishOnlyWording } from "../../errors.ts";
import { AUDIT_TABLE } from "../record/keyed-tables.ts";
import { compareTables, type TableComparison } from "./comparing.ts";
import { copyTables } from "./copying.ts";
import { compareFiles, copyFiles, type FilesComparison } from "./moving-files.ts";
import type { MoveSource, MoveTarget, ReadableRecord } from "./readable-record.ts";

/** Reports the current step and its progress. */
export type OnMoveStep = (
  step: "Copying" | "Copying files" | "Comparing" | "Comparing files",
  progress: { done: number; total: number; of: string },
) => void;

export interface RecordComparison {
  source: string;
  target: string;
  tables: readonly TableComparison[];
  files: FilesComparison;
  isSame: boolean;
}

export interface MoveOutcome extends RecordComparison {
  /** Number of changes to the source since its snapshot. If there are any, nothing is committed. */
  changesSince: number;
}

/**
 * Copies a record with its files into an empty target and compares both sides. Commits only if both
 * sides are equal and the source has not changed.
 */
export async function moveRecord(
  source: MoveSource,
  target: MoveTarget,
  onStep: OnMoveStep,
): Promise<MoveOutcome> {
  if ((await source.lastNumber(AUDIT_TABLE)) === 0) {
    throw new AppError(
      "conflict",
      englishOnlyWording(`There is nothing to move: ${source.name} is empty`),
    );
  }
  await copyTables(source, target, (done, total, of) => onStep("Copying", { done, total, of }));
  await copyFiles(source.files, target.files, (done, total) =>
    onStep("Copying files", { done, total, of: "files" }),
  );
  const compared = await compareRecords(source, target, onStep);
  const changesSince = await source.changesSince();
  if (compared.isSame && changesSince === 0) await target.commit();
  return { ...compared, changesSince };
}

/** Compares two records and their files without changing anything. */
export async function compareRecords(
  source: ReadableRecord,
  target: ReadableRecord,
  onStep: OnMoveStep,
): Promise<RecordComparison> {
  const tables = await compareTables(source, target, (done, total, of) =>
    onStep("Comparing", { done, total, of }),
  );
  const files = await compareFiles(source.files, target.files, (done, total) =>
    onStep("Comparing files", { done, total, of: "files" }),
  );
  const isSame = tables.every(({ differing }) => differing === 0) && files.differences.length === 0;
  return { source: source.name, target: target.name, tables, files, isSame };
}
