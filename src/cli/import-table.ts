import { createReadStream, readFileSync } from "node:fs";
import type { Actor } from "../access/actor.ts";
import { readYaml } from "../content/import/front-matter.ts";
import { decodedUtf8 } from "../content/import/lines.ts";
import type { ParsedItem } from "../content/import/parsed-item.ts";
import {
  openTableImport,
  type TableImport,
  type TableOptions,
} from "../content/import/tables/reading/open-table-import.ts";
import { readPairs } from "../content/import/tables/table-mapping.ts";
import { describeIssue } from "../content/items/issue-messages.ts";
import type { ContentRecord } from "../content/record.ts";
import { type TableMapping, tableMappingSchema } from "../content/site/table-mappings.ts";
import { AppError } from "../errors.ts";

/** What the options of the command say about tables. */
export type TableChoices = Pick<TableOptions, "places" | "mapping" | "type" | "sheet" | "desk">;

export function tableChoices(flags: {
  map?: string[];
  mapping?: string;
  type?: string;
  sheet?: string;
}): Omit<TableChoices, "desk"> {
  const { map = [], mapping, type, sheet } = flags;
  return {
    places: (columns) => readPairs(map, columns),
    ...(mapping === undefined ? {} : { mapping: readMappingFile(mapping) }),
    ...(type === undefined ? {} : { type }),
    ...(sheet === undefined ? {} : { sheet }),
  };
}

/** Tables, ready to be imported one after the other. @throws {AppError} `invalid`. */
export async function openTables(
  record: ContentRecord,
  actor: Actor,
  files: readonly { path: string; bytes: number }[],
  { onBytes, ...options }: TableOptions & { onBytes: (bytes: number) => void },
): Promise<TableImport> {
  await using opened = new AsyncDisposableStack();
  const ready: TableImport[] = [];
  for (const { path, bytes } of files) {
    const source = { file: path, path: async () => path, bytes: () => createReadStream(path) };
    let done = 0;
    const onRead = (part: number) => {
      const now = Math.floor(part * bytes);
      onBytes(now - done);
      done = now;
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

function readMappingFile(path: string): TableMapping {
  const text = decodedUtf8(readFileSync(path));
  const { values, faults } = readYaml(text ?? "", 0);
  const [fault] = faults;
  if (text === null || fault !== undefined) {
    const reason = fault === undefined ? "it is not UTF-8" : `line ${fault.line} ${fault.message}`;
    throw new AppError("invalid", `Cannot read the mapping ${path}: ${reason}`);
  }
  const parsed = tableMappingSchema.safeParse(values, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new AppError("invalid", `Cannot read the mapping ${path}: ${problems.join("; ")}`);
}
