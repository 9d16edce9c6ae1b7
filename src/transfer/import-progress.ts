import { redactIssuedSecrets } from "../access/credentials.ts";
import type { ImportEventHandlers, ImportTotals } from "../content/import/import-events.ts";
import {
  type FileProblem,
  type ImportCounts,
  type ItemOutcome,
  ZERO_IMPORT_COUNTS,
} from "../content/import/import-items.ts";
import type {
  TablePreview,
  TableReadResult,
} from "../content/import/tables/reading/table-reading.ts";
import type { OmittedRecords } from "../content/import/wordpress/wordpress-plan.ts";
import { buildWording, type Wording } from "../errors.ts";
import type { ImportReport, LiveSiteCopyCounts, RunningJob } from "./job.ts";

const PROBLEMS_KEPT_MAX = 1000;
const ITEMS_KEPT_MAX = 1000;
const NOTES_KEPT_MAX = 100;
const KEY_REASON: Wording = {
  en: "this key or type has no meaning here",
  de: "diese Angabe oder Art bedeutet hier nichts",
};

export interface ImportProgress {
  events: ImportEventHandlers & Required<Pick<ImportEventHandlers, "onProgress">>;
  onCopied: (copied: LiveSiteCopyCounts) => void;
  end(counts: ImportCounts & Partial<ImportTotals & { files: number }>): void;
}

/** Collects the report of a running import, and stores it in the job. */
export function createImportProgress(running: RunningJob): ImportProgress {
  const problems: FileProblem[] = [];
  const items: ItemOutcome[] = [];
  const notes: Wording[] = [];
  const leftOut: OmittedRecords[] = [];
  const unknownKeys = new Map<string, number>();
  const report: ImportReport & { drafts: number } = {
    ...ZERO_IMPORT_COUNTS,
    ...{ problems, problemsTotal: 0, items, drafts: 0 },
  };
  const update = (done: number, total: number) => {
    const progress = { done, total: Math.max(done, total) };
    const optionalParts = {
      ...(notes.length > 0 && { notes }),
      ...(leftOut.length > 0 && { leftOut }),
    };
    running.job = { ...running.job, progress, report: { ...report, ...optionalParts } };
  };
  const onProblem = (problem: FileProblem) => {
    report.problemsTotal += 1;
    const shown = { ...problem, message: redacted(problem.message) };
    if (problems.length < PROBLEMS_KEPT_MAX) problems.push(shown);
  };
  const warn = (file: string, line: number, message: Wording) =>
    onProblem({ file, line, field: "", message, severity: "warning" });
  const onTable = (table: TableReadResult) => {
    report.table = table;
    update(0, table.rows + table.names);
  };
  const onNote = (message: Wording) => {
    if (notes.length < NOTES_KEPT_MAX) notes.push(redacted(message));
  };
  const onLeftOut = (key: string) => {
    const uses = unknownKeys.get(key) ?? 0;
    if (uses > 0 || unknownKeys.size < NOTES_KEPT_MAX) unknownKeys.set(key, uses + 1);
  };
  return {
    onCopied(copied) {
      report.copied = copied;
      update(0, 0);
    },
    events: {
      onProblem,
      onNote,
      onLeftOut,
      onDraft() {
        report.drafts += 1;
      },
      onSkipped: (name, reason, line) => warn(name, line, withOutcome(reason, SKIPPED_LABEL)),
      onUnusedRedirect: (file, reason, line) =>
        warn(file, line, withOutcome(reason, NOT_NEEDED_LABEL)),
      onOutcome(outcome) {
        if (items.length < ITEMS_KEPT_MAX) items.push(outcome);
      },
      onConventions: (folder, program) => onNote(readAsNote(folder, program)),
      onExportsLeftOut: (more) => leftOut.push(...more.slice(0, NOTES_KEPT_MAX)),
      onPreview: (preview) => onTable(unreadTable(preview)),
      onTable,
      onProgress({ items: done, counts }) {
        Object.assign(report, counts);
        update(done, running.job.progress.total);
      },
    },
    end({ created, updated, unchanged, conflicts, failed, redirects, files }) {
      Object.assign(report, { created, updated, unchanged, conflicts, failed });
      if (redirects !== undefined) report.redirects = redirects;
      if (files !== undefined) report.files = files;
      for (const [key, count] of unknownKeys) {
        leftOut.push({ what: usesOfKey(key), count, reason: KEY_REASON, isContent: false });
      }
      const { done } = running.job.progress;
      update(done, done);
    },
  };
}

const SKIPPED_LABEL: Wording = { en: "skipped", de: "übersprungen" };
const NOT_NEEDED_LABEL: Wording = { en: "not needed", de: "nicht nötig" };

function withOutcome(reason: Wording, outcome: Wording): Wording {
  return buildWording((language) => `${reason[language]}; ${outcome[language]}`);
}

function redacted(message: Wording): Wording {
  return buildWording((language) => redactIssuedSecrets(message[language]));
}

function readAsNote(folder: string, program: string): Wording {
  return {
    en: `${folder} is read as a folder of ${program}`,
    de: `${folder} wird als Ordner von ${program} gelesen`,
  };
}

function usesOfKey(key: string): Wording {
  return { en: `uses of "${key}"`, de: `Mal die Angabe „${key}“` };
}

function unreadTable(preview: TablePreview): TableReadResult {
  return { ...preview, rows: 0, names: 0, knownBy: [], notes: [], leftOut: [] };
}
