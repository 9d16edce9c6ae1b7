import type { Actor } from "../access/actor.ts";
import type { ContentDesk } from "../content/editing/desk.ts";
import {
  openTableImport,
  type TableImport,
} from "../content/import/tables/reading/open-table-import.ts";
import type { TableLook, TableReading } from "../content/import/tables/reading/table-reading.ts";
import type { TableRow } from "../content/import/tables/table.ts";
import { statedPlaces } from "../content/import/tables/table-mapping.ts";
import type { ContentRecord } from "../content/record.ts";
import { AppError } from "../errors.ts";
import type { ImportChoices, JobFiles, RunningJob, TableInput } from "./job.ts";
import { inputIdOf } from "./job-inputs.ts";

/** Bounds the memory by which rows are known again, about 50 MB. */
const ROWS_MAX = 100_000;
/** Bounds the time: a small workbook can refer to one long text from every cell. */
const CHARACTERS_MAX = 256 * 1024 * 1024;

export interface TableJobParts {
  desk: Pick<ContentDesk, "list">;
  files: JobFiles;
  choices: ImportChoices;
  now: Date;
  yieldBetween: () => Promise<void>;
  /** Called once it is known what the columns are, and again once all rows were counted. */
  onTable: (table: TableReading) => void;
}

/** Opens the spooled table of a job. @throws {AppError} `invalid` for a table that cannot be read. */
export async function openSpooledTable(
  record: ContentRecord,
  actor: Actor,
  { job, halt }: RunningJob,
  table: TableInput,
  { desk, files, choices, now, yieldBetween, onTable }: TableJobParts,
): Promise<TableImport> {
  const id = inputIdOf(job);
  await using opened = new AsyncDisposableStack();
  const source = {
    file: table.file,
    path: async () => opened.use(await files.localInput(id)).path,
    bytes: () => files.spooled(id),
  };
  const read = await openTableImport(record, actor, source, {
    ...{ desk, now },
    ...(table.type === null ? {} : { type: table.type }),
    ...(table.sheet === null ? {} : { sheet: table.sheet }),
    places: (columns) => statedPlaces(Object.entries(table.columns), columns),
    isPublished: choices.status === "published",
    limited: (rows) => limitedRows(rows, halt, yieldBetween),
    onLook: (look) => onTable(unread(look)),
    onTable,
  });
  opened.use(read);
  const owned = opened.move();
  return { items: () => read.items(), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function unread(look: TableLook): TableReading {
  return { ...look, rows: 0, names: 0, knownBy: [], notes: [], leftOut: [] };
}

async function* limitedRows(
  rows: AsyncIterable<TableRow>,
  halt: AbortSignal,
  yieldBetween: () => Promise<void>,
): AsyncGenerator<TableRow> {
  let count = 0;
  let characters = 0;
  for await (const row of rows) {
    halt.throwIfAborted();
    count += 1;
    characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (count > ROWS_MAX || characters > CHARACTERS_MAX) {
      const limit = `${ROWS_MAX} rows or ${CHARACTERS_MAX / 1024 / 1024} million characters`;
      const message = `The table has more than ${limit}; split it, or import it with the command line`;
      throw new AppError("invalid", message);
    }
    yield row;
    await yieldBetween();
  }
}
