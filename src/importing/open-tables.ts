import { createReadStream } from "node:fs";
import type { Actor } from "../access/actor.ts";
import type { ContentDesk } from "../content/editing/desk.ts";
import type { ParsedItem } from "../content/import/parsed-item.ts";
import {
  openTableImport,
  type TableImport,
  type TableImportOptions,
} from "../content/import/tables/reading/open-table-import.ts";
import type { ContentRecord } from "../content/record.ts";

/** Options for tables and bibliographies. */
export type TableAndBibliographyOptions = Pick<
  TableImportOptions,
  "places" | "mapping" | "type" | "sheet" | "limited"
> & { desk: Pick<ContentDesk, "list"> };

/** Opens tables, to be imported one after the other. @throws {AppError} `invalid`. */
export async function openTableFiles(
  record: ContentRecord,
  actor: Actor,
  files: readonly { path: string; bytes: number }[],
  { onBytes, ...options }: TableImportOptions & { onBytes: (bytes: number) => void },
): Promise<TableImport> {
  await using opened = new AsyncDisposableStack();
  const ready: TableImport[] = [];
  for (const { path, bytes } of files) {
    const source = { file: path, path: async () => path, bytes: () => createReadStream(path) };
    let reported = 0;
    const onRead = (share: number) => {
      const bytesRead = Math.floor(share * bytes);
      onBytes(bytesRead - reported);
      reported = bytesRead;
    };
    const table = await openTableImport(record, actor, source, { ...options, onRead });
    ready.push(opened.use(table));
  }
  const owned = opened.move();
  return {
    async *items(): AsyncGenerator<ParsedItem> {
      for (const { items } of ready) yield* items();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
