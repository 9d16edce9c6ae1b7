import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Tables with what people wrote and what grants access. */
const KEPT = [
  "items",
  "path_claims",
  "relations",
  "redirects",
  "revisions",
  "audit",
  "keys",
  "media",
  "media_uses",
  "key_requests",
  "messages",
  "webhooks",
  "admins",
  "drafts",
];
/** Columns with the time of the last use, which a start may change. */
const OF_USE = ["last_used_at"];
const AT_ONCE = 8;

/** The rows of each table as JSON of the columns that it had. */
export type Rows = Map<string, { columns: string[]; rows: Set<string> }>;

/** Reads a copy of a store that no process uses, including its log. */
export function readRows(dataDir: string, columnsOf?: Rows): Rows {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-rows-"));
  try {
    cpSync(dataDir, folder, { recursive: true });
    using db = new DatabaseSync(join(folder, "commonplace.db"));
    const tables = KEPT.filter((table) => columnsIn(db, table).length > 0);
    return new Map(
      tables.map((table) => {
        const columns =
          columnsOf?.get(table)?.columns ??
          columnsIn(db, table).filter((column) => !OF_USE.includes(column));
        const found = db.prepare(`SELECT ${columns.join(", ")} FROM ${table}`).all();
        return [table, { columns, rows: new Set(found.map((row) => JSON.stringify(row))) }];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function columnsIn(db: DatabaseSync, table: string): string[] {
  return db
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => String(name));
}

/** Rows that are gone or changed, by table. */
export function lostRows(before: Rows, after: Rows): string[] {
  return [...before].flatMap(([table, { rows }]) =>
    [...rows]
      .filter((row) => after.get(table)?.rows.has(row) !== true)
      .map((row) => `${table}: ${row.slice(0, 300)}`),
  );
}

export function rowCount(rows: Rows): number {
  return [...rows.values()].reduce((sum, table) => sum + table.rows.size, 0);
}

/** The answer at an address: the status, the redirect target and the words of the page. */
export interface Answer {
  status: number;
  location: string | null;
  words: string;
  /** The item's text on its page; empty if it has none. */
  text: string;
}

/** Requests addresses from a running site. */
export async function answersOf(
  origin: string,
  paths: readonly string[],
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const queue = [...paths];
  const worker = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      answers.set(path, await ask(origin, path));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return answers;
}

async function ask(origin: string, path: string): Promise<Answer> {
  const reply = await fetch(`${origin}${encodeURI(path)}`, {
    headers: { accept: "text/html" },
    redirect: "manual",
  });
  const html = await reply.text();
  const location = reply.headers.get("location");
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? "";
  const own = /<(?:blockquote class="saying"|div class="text")>([\s\S]*?)<\/(?:blockquote|div)>/;
  return {
    status: reply.status,
    location: location === null ? null : location.replace(origin, ""),
    words: wordsOf(main),
    text: wordsOf(own.exec(main)?.[1] ?? ""),
  };
}

/** Without spaces, because a version may put elements between words on separate lines. */
function wordsOf(html: string): string {
  return html.replaceAll(/<[^>]+>/g, "").replaceAll(/\s+/g, "");
}

/** Addresses whose answers have changed. */
export function changedAnswers(before: Map<string, Answer>, after: Map<string, Answer>): string[] {
  return [...before].flatMap(([path, was]) => {
    const is = after.get(path);
    if (is?.status !== was.status) return `${path}: ${was.status} became ${is?.status}`;
    if (is.location !== was.location) return `${path}: led to ${was.location}, not ${is.location}`;
    return is.words.includes(was.text)
      ? []
      : `${path}: the text "${was.text.slice(0, 100)}" is gone`;
  });
}
