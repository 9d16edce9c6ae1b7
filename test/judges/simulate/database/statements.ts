import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Questions, RateMemory } from "./rate-windows.ts";
import type { Answer, Value } from "./wire.ts";

export type Given = string | Buffer | null;

/** The parts of the server that statements use. */
export interface Place {
  db: DatabaseSync;
  /** Milliseconds of the server's wall clock. */
  wall: number;
  rates: RateMemory;
  notify(channel: string, payload: string): void;
}

interface Prepared {
  changes: boolean;
  run(place: Place, given: readonly Given[]): Answer;
}

const WHOLE_NUMBER = /^-?(?:0|[1-9]\d{0,14})$/;
const KEPT_HOURS = 24;
const KEPT_ENTRIES = 100_000;

const prepared = new Map<string, Prepared>();

/** Translates a PostgreSQL statement for SQLite's tables. */
export function prepare(sql: string): Prepared {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  const own = OWN.find(({ begins }) => sql.trimStart().startsWith(begins));
  const made = own === undefined ? translated(sql) : { changes: own.changes, run: own.run };
  prepared.set(sql, made);
  return made;
}

/** Statements that have no equivalent in SQLite. */
const OWN: readonly (Prepared & { begins: string })[] = [
  {
    begins: "SELECT current_setting('server_version_num')",
    changes: false,
    run: () => oneRow({ version: 18, encoding: "UTF8" }),
  },
  {
    begins: "SELECT to_regclass(",
    changes: false,
    run: () => oneRow({ is_there: false }),
  },
  {
    begins: "CREATE TABLE IF NOT EXISTS migrations",
    changes: false,
    run: () => done("CREATE TABLE"),
  },
  { begins: "WITH numbers AS (", changes: true, run: writeEntry },
  { begins: "DELETE FROM changes USING change_state", changes: true, run: deleteOldEntries },
  { begins: "SELECT row_to_json(one)::text", changes: false, run: itemsAsJson },
  { begins: "SELECT * FROM take_turns(", changes: false, run: takeTurns },
  {
    begins: "SELECT forget_turns()",
    changes: false,
    run({ rates, wall }) {
      rates.forget(wall);
      return oneRow({ forget_turns: "" });
    },
  },
  { begins: "WITH gone AS (DELETE FROM files", changes: true, run: removeFile },
  { begins: "WITH received AS (DELETE FROM file_uploads", changes: true, run: keepFile },
  {
    begins: "WITH gone AS (DELETE FROM file_uploads WHERE at <",
    changes: true,
    run: clearUploads("at <"),
  },
  {
    begins: "WITH gone AS (DELETE FROM file_uploads WHERE upload =",
    changes: true,
    run: clearUploads("upload ="),
  },
];

function translated(sql: string): Prepared {
  const text = insertMany(sql) ?? updateMany(sql) ?? anyOf(sql);
  const portable = text
    .replace(/\$(\d+)/g, "?$1")
    .replace(/json_array_elements_text\((\?\d+)::json\)/g, "value FROM json_each($1)")
    .replace("extract(epoch FROM clock_timestamp() - at::timestamptz)::float8", "age_seconds(at)")
    .replace(/\bcurrent_schema\(\)/g, "'public'");
  const [verb = ""] = /\b(select|insert|update|delete)\b/i.exec(withoutQueries(portable)) ?? [];
  return {
    changes: verb.toLowerCase() !== "select",
    run: ({ db }, given) => answerOf(db, verb.toUpperCase(), { sql: portable, given }),
  };
}

/** Leaves out what is in parentheses, such as the queries of a WITH. */
function withoutQueries(sql: string): string {
  let left = sql;
  for (;;) {
    const shorter = left.replace(/\([^()]*\)/g, "");
    if (shorter === left) return left;
    left = shorter;
  }
}

function answerOf(
  db: DatabaseSync,
  verb: string,
  { sql, given }: { sql: string; given: readonly Given[] },
): Answer {
  const statement = compiled(db, sql);
  const values = given.map(bound);
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length === 0) {
    const { changes } = statement.run(...values);
    return done(verb === "INSERT" ? `INSERT 0 ${changes}` : `${verb} ${changes}`);
  }
  statement.setReturnArrays(true);
  const rows = statement.all(...values).map((row) => Object.values(row));
  const tag = verb === "INSERT" ? `INSERT 0 ${rows.length}` : `${verb} ${rows.length}`;
  return { columns, rows, tag };
}

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

function compiled(db: DatabaseSync, sql: string): StatementSync {
  const ofConnection = statements.get(db) ?? new Map<string, StatementSync>();
  statements.set(db, ofConnection);
  const statement = ofConnection.get(sql) ?? db.prepare(sql);
  ofConnection.set(sql, statement);
  return statement;
}

/** SQLite converts a number for a text column, but not a text for a numeric expression. */
function bound(value: Given): SQLInputValue {
  return typeof value === "string" && WHOLE_NUMBER.test(value) ? Number(value) : value;
}

const INSERT_MANY =
  /^insert into ("\w+") \(([^)]+)\) select .* from json_populate_recordset\(null::"\w+", \$1\)$/;
const UPDATE_MANY =
  /^update ("\w+") set (.+) from json_populate_recordset\(null::"\w+", \$1\) as many where "\w+"\.("\w+") = many\."\w+"$/;

function insertMany(sql: string): string | null {
  const [, table, columns] = INSERT_MANY.exec(sql) ?? [];
  if (table === undefined || columns === undefined) return null;
  const values = columns.split(", ").map(extracted).join(", ");
  return `insert into ${table} (${columns}) select ${values} from json_each($1)`;
}

function updateMany(sql: string): string | null {
  const [, table, setting, key] = UPDATE_MANY.exec(sql) ?? [];
  if (table === undefined || setting === undefined || key === undefined) return null;
  const values = setting.replace(/many\.("\w+")/g, (_found, column: string) => extracted(column));
  return `update ${table} set ${values} from json_each($1) as many where ${table}.${key} = ${extracted(key)}`;
}

function extracted(column: string): string {
  return `json_extract(value, '$.${column.slice(1, -1)}')`;
}

function anyOf(sql: string): string {
  return sql.replace("= any($1)", "in (select value from json_each(array_as_json($1)))");
}

/** Adds the functions that translated statements and triggers call. */
export function addFunctions(
  db: DatabaseSync,
  place: Pick<Place, "notify"> & { wall(): number },
): void {
  db.function("pg_notify", (channel, payload) => {
    place.notify(String(channel), String(payload));
    return null;
  });
  db.function("age_seconds", (at) =>
    at === null ? null : (place.wall() - Date.parse(String(at))) / 1000,
  );
  db.function("array_as_json", (array) => JSON.stringify(elementsOf(String(array))));
}

/** The elements of an array as the driver writes it, each in quotes. */
function elementsOf(array: string): string[] {
  return [...array.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, element = ""]) =>
    element.replace(/\\(.)/gs, "$1"),
  );
}

function writeEntry({ db, notify, wall }: Place, given: readonly Given[]): Answer {
  const [ids, updatedAt, before, after] = given.map(String);
  const state = db
    .prepare(
      "UPDATE change_state SET last = last + 1, updated_at = max(updated_at, ?) RETURNING last",
    )
    .get(updatedAt ?? "");
  const last = Number(state?.["last"]);
  const rows = db
    .prepare("SELECT id, number FROM items WHERE id IN (SELECT value FROM json_each(?))")
    .all(ids ?? "[]");
  const numbers = Object.fromEntries(rows.map(({ id, number }) => [String(id), Number(number)]));
  const at = new Date(wall).toISOString().replace("Z", "000Z");
  db.prepare("INSERT INTO changes (sequence, at, changes) VALUES (?, ?, ?)").run(
    last,
    at,
    `${before}${JSON.stringify(numbers)}${after}`,
  );
  notify("commonplace_changes", String(last));
  return oneRow({ sequence: last, pg_notify: "" });
}

function deleteOldEntries({ db, wall }: Place): Answer {
  const before = new Date(wall - KEPT_HOURS * 3_600_000).toISOString().replace("Z", "000Z");
  const { changes } = db
    .prepare(
      `DELETE FROM changes WHERE sequence < (SELECT last FROM change_state)
       AND (sequence <= (SELECT last FROM change_state) - ${KEPT_ENTRIES} OR at < ?)`,
    )
    .run(before);
  return done(`DELETE ${changes}`);
}

function itemsAsJson({ db }: Place, [after = "0"]: readonly Given[]): Answer {
  const rows = db
    .prepare(
      `SELECT i.*, (SELECT number FROM items AS o WHERE o.id = i.translation_of) AS original_number,
         (SELECT json_group_array(json_array(r.relation, r.position, r.to_id, r.note, r.hash, t.number)
            ORDER BY r.relation, r.position)
          FROM relations AS r JOIN items AS t ON t.id = r.to_id WHERE r.from_id = i.id) AS stated
       FROM items AS i LEFT JOIN path_claims AS c ON c.path = i.path
       WHERE (i.status = 'published' OR i.status IN ('archived', 'deleted') AND c.was_public = 1)
         AND i.number > ? ORDER BY i.number LIMIT 1000`,
    )
    .all(Number(after));
  const texts = rows.map((row) => [
    JSON.stringify({ ...row, stated: JSON.parse(String(row["stated"])) }),
  ]);
  return { columns: ["row_to_json"], rows: texts, tag: `SELECT ${texts.length}` };
}

function takeTurns({ rates, wall }: Place, given: readonly Given[]): Answer {
  const [epoch, ...lists] = given;
  const [windows = [], ...numbers] = lists.map((list) => elementsOf(String(list)));
  const [limits = [], asked = [], reported = [], reportedAgo = []] = numbers.map((list) =>
    list.map(Number),
  );
  const questions: Questions = {
    ...{ windows, limits, asked, reported, reportedAgo },
    epoch: epoch === null || epoch === undefined ? null : String(epoch),
  };
  const rows = rates.take(questions, Math.floor(wall));
  const columns = ["epoch", "accepted", "before", "resets_in", "frees_in"];
  return { columns, rows, tag: `SELECT ${rows.length}` };
}

function removeFile({ db }: Place, [name]: readonly Given[]): Answer {
  const gone = db.prepare("DELETE FROM files WHERE name = ? RETURNING upload").all(String(name));
  for (const { upload } of gone) dropPieces(db, String(upload));
  if (gone.length > 0) raiseFiles(db);
  return done(`UPDATE ${gone.length}`);
}

function keepFile({ db }: Place, given: readonly Given[]): Answer {
  const [upload = "", name = "", , bytes = "0", at = ""] = given.map(String);
  const received = db.prepare("DELETE FROM file_uploads WHERE upload = ?").run(upload);
  for (const { upload: former } of db
    .prepare("SELECT upload FROM files WHERE name = ?")
    .all(name)) {
    dropPieces(db, String(former));
  }
  raiseFiles(db);
  if (received.changes === 0) return done("INSERT 0 0");
  db.prepare("INSERT OR REPLACE INTO files (name, upload, bytes, kept_at) VALUES (?, ?, ?, ?)").run(
    name,
    upload,
    Number(bytes),
    at,
  );
  return done("INSERT 0 1");
}

function clearUploads(condition: string): Prepared["run"] {
  return ({ db }, [value]) => {
    const gone = db
      .prepare(`DELETE FROM file_uploads WHERE ${condition} ? RETURNING upload`)
      .all(String(value));
    for (const { upload } of gone) dropPieces(db, String(upload));
    return done(`DELETE ${gone.length}`);
  };
}

function dropPieces(db: DatabaseSync, upload: string): void {
  db.prepare("DELETE FROM file_pieces WHERE upload = ?").run(upload);
}

function raiseFiles(db: DatabaseSync): void {
  db.exec("UPDATE file_state SET version = version + 1");
}

function oneRow(row: Readonly<Record<string, Value>>): Answer {
  return { columns: Object.keys(row), rows: [Object.values(row)], tag: "SELECT 1" };
}

export function done(tag: string): Answer {
  return { columns: null, rows: [], tag };
}
