import Papa from "papaparse";
import { redactIssuedSecrets } from "../access/credentials.ts";
import type { ImportEventHandlers } from "../content/import/import-events.ts";
import type { Wording } from "../errors.ts";
import { createDiskBackedText } from "../files/disk-backed-text.ts";

const COLUMNS = [
  ...["file", "line", "title", "path", "type", "outcome", "changed", "kept", "field"],
  ...["message", "message (de)"],
] as const;

/** The whole report of an import, in a temporary file. */
export interface ReportTable extends AsyncDisposable {
  /**
   * Wraps the events of the import. Each event then also adds a row for its item, redirect, file or
   * problem.
   */
  watching<Events extends ImportEventHandlers>(events: Events): Events;
  /** Returns a CSV table with all rows that were added until now, in the order of the events. */
  bytes(): AsyncIterable<Uint8Array>;
}

export async function openReportTable(): Promise<ReportTable> {
  const table = await createDiskBackedText();
  table.add(csvLine(COLUMNS));
  return {
    watching: (events) => eventsInTable(events, table.add),
    bytes: table.bytes,
    [Symbol.asyncDispose]: () => table[Symbol.asyncDispose](),
  };
}

function eventsInTable<Events extends ImportEventHandlers>(
  events: Events,
  write: (line: string) => void,
): Events {
  const add = (cells: Cells, message?: Wording) =>
    write(rowOf({ ...cells, ...(message === undefined ? {} : messageCells(message)) }));
  return {
    ...events,
    onProblem(problem) {
      const { severity, message, ...place } = problem;
      add({ ...place, outcome: severity }, message);
      events.onProblem(problem);
    },
    onOutcome(item) {
      const { changed = [], kept = [], ...outcome } = item;
      add({ ...outcome, changed: changed.join(" "), kept: kept.join(" ") });
      events.onOutcome?.(item);
    },
    onSkipped(file, reason, line) {
      add({ file, line, outcome: "skipped" }, reason);
      events.onSkipped?.(file, reason, line);
    },
    onRedirected(redirect) {
      const { file, line, from, to, outcome } = redirect;
      add({
        file,
        line,
        type: to === null ? "gone" : "redirect",
        path: from,
        message: to,
        outcome,
      });
      events.onRedirected?.(redirect);
    },
    onUnusedRedirect(file, reason, line) {
      add({ file, line, type: "redirect", outcome: "not needed" }, reason);
      events.onUnusedRedirect?.(file, reason, line);
    },
    onFile(file, path) {
      add({ file, type: "file", path, outcome: "taken in" });
      events.onFile?.(file, path);
    },
    onUnusedFile(file) {
      add({ file, type: "file", outcome: "left out" }, NO_CONTENT);
      events.onUnusedFile?.(file);
    },
    onExportsLeftOut(leftOut) {
      for (const { what, count, reason } of leftOut) {
        add({ title: `${count} ${what.en}`, outcome: "left out" }, reason);
      }
      events.onExportsLeftOut?.(leftOut);
    },
  };
}

const NO_CONTENT: Wording = {
  en: "is not content, and no text shows it",
  de: "ist kein Inhalt, und kein Text zeigt es",
};

type Cells = Partial<Record<(typeof COLUMNS)[number], string | number | null>>;

function messageCells({ en, de }: Wording): Cells {
  return { message: redactIssuedSecrets(en), "message (de)": redactIssuedSecrets(de) };
}

function rowOf(cells: Cells): string {
  return csvLine(COLUMNS.map((column) => cells[column] ?? ""));
}

/** Escapes formulas, because titles come from other sites and the table is opened in spreadsheets. */
function csvLine(cells: readonly (string | number)[]): string {
  return `${Papa.unparse([[...cells]], { escapeFormulae: true })}\r\n`;
}
