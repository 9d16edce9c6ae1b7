import type { CompiledQuery } from "kysely";
import type { ParameterBatch } from "../../batch-queries.ts";
import { storable } from "./values.ts";

const INSERT = /^insert into ("\w+") \(([^)]+)\) values \([^()]+\)$/;
const UPDATE = /^update ("\w+") set (.+) where ("\w+") = \$\d+$/;
const COLUMN_SET = /("\w+") = \$\d+/g;
const ONE_VALUE = / = \$1\b/;

/**
 * Rewrites a query with many parameter lists as one statement. Rows are sent as one JSON parameter that
 * the server expands, so that the SQL text does not depend on their number.
 */
export function manyAsOne({ sql }: CompiledQuery, { rows }: ParameterBatch): [string, unknown[]] {
  const insert = INSERT.exec(sql);
  if (insert !== null) {
    const [, table = "", columns = ""] = insert;
    const source = `json_populate_recordset(null::${table}, $1)`;
    return [
      `insert into ${table} (${columns}) select ${columns} from ${source}`,
      [rowsAsJson(columns.split(", "), rows)],
    ];
  }
  const update = UPDATE.exec(sql);
  if (update !== null) {
    const [, table = "", changing = "", key = ""] = update;
    const columns = [...changing.matchAll(COLUMN_SET)].map(([, column = ""]) => column);
    const source = `json_populate_recordset(null::${table}, $1) as many`;
    const setting = columns.map((column) => `${column} = many.${column}`).join(", ");
    return [
      `update ${table} set ${setting} from ${source} where ${table}.${key} = many.${key}`,
      [rowsAsJson([...columns, key], rows)],
    ];
  }
  if (ONE_VALUE.test(sql) && !sql.includes("$2")) {
    return [sql.replace(ONE_VALUE, " = any($1)"), [rows.map(([value]) => storable(value))]];
  }
  throw new Error(`No way is known to run this many times at once: ${sql}`);
}

function rowsAsJson(
  quotedColumns: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  const columns = quotedColumns.map((column) => column.slice(1, -1));
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, storable(row[at])]))),
  );
}
