import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SCOPES } from "../../../src/access/actor.ts";
import { runCommandLine } from "../../../src/cli/run.ts";
import { png } from "../../support/media-bytes.ts";
import { ENVIRONMENT } from "./program.ts";

const FIXTURE = join(import.meta.dirname, "../../support/fixture");
const MIGRATIONS = new URL("../../../src/storage/record/sqlite/migrations/", import.meta.url);
const FIRST_MIGRATION = "001-record.sql";
const RATE = "100000";
const FIRST_TABLES = ["items", "path_claims", "relations", "revisions", "audit", "settings"];

/** Folders and files with which scenarios start. */
export interface Templates {
  /** Data folder of a small site with two pictures. */
  site: string;
  /** Data folder of another site with other pictures. */
  other: string;
  /** Data folder of the first site as the first version of the program would have left it. */
  old: string;
  /** Data folder of the first site with a reading copy of an earlier version. */
  unread: string;
  /** Import files: changes to items of the site, and new items with pictures. */
  edition: string;
  /** Backups of the other site. */
  backup: string;
  backupFile: string;
  pictures: string;
  /** Key of an editor of the first site. */
  key: string;
}

/** Makes the templates in a folder, with the normal commands. */
export async function makeTemplates(folder: string): Promise<Templates> {
  const at = (name: string) => join(folder, name);
  mkdirSync(folder, { recursive: true });
  const pictures = at("pictures");
  mkdirSync(pictures);
  for (const colour of [1, 2, 3, 4]) {
    writeFileSync(join(pictures, `${colour}.png`), png(40, 30, colour));
  }
  const picture = (colour: number) => join(pictures, `${colour}.png`);
  await commonplace(at("site"), "import", FIXTURE);
  await commonplace(at("site"), "media", "add", picture(1), picture(2));
  const scopes = SCOPES.flatMap((scope) => ["--scope", scope]);
  const issued = await commonplace(
    at("site"),
    "keys",
    "issue",
    "--name",
    "Editor",
    "--rate",
    RATE,
    ...scopes,
  );
  await commonplace(at("other"), "import", writtenEdition(at("other-edition"), "Other"));
  await commonplace(at("other"), "media", "add", picture(3), picture(4));
  await commonplace(at("other"), "backup", at("backup"));
  await commonplace(at("other"), "backup", at("backup.db"));
  writeFirstVersion(at("site"), at("old"));
  cpSync(at("site"), at("unread"), { recursive: true });
  makeReadingOld(join(at("unread"), "commonplace.db"));
  return {
    site: at("site"),
    other: at("other"),
    old: at("old"),
    unread: at("unread"),
    edition: writtenEdition(at("edition"), "New"),
    backup: at("backup"),
    backupFile: at("backup.db"),
    pictures,
    key: issued.trim(),
  };
}

async function commonplace(dataDir: string, ...words: string[]): Promise<string> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommandLine(words, {
    environment: { ...ENVIRONMENT, DATA_DIR: dataDir },
    terminal: {
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      write: async () => {},
      isInteractive: false,
    },
  });
  if (code !== 0) throw new Error(`${words.join(" ")}: ${err.join("; ")}`);
  return out.join("\n");
}

/** Writes a site folder with a changed page of the fixture, a few new topics and two pictures. */
function writtenEdition(folder: string, word: string): string {
  const write = (name: string, bytes: string | Buffer) => {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  };
  cpSync(join(FIXTURE, "site.yaml"), join(folder, "site.yaml"));
  cpSync(join(FIXTURE, "types"), join(folder, "types"), { recursive: true });
  write("content/index.md", `---\ntitle: ${word} home\nstatus: published\n---\n\n${word} text.\n`);
  for (const count of [1, 2, 3, 4, 5, 6]) {
    const picture = count <= 2 ? `![${word}](${count}.png)` : "";
    write(
      `content/topics/${word.toLowerCase()}-${count}.md`,
      `---\ntype: topic\ntitle: ${word} ${count}\nstatus: published\n---\n\n${word} body. ${picture}\n`,
    );
  }
  const colour = word.length;
  write("content/topics/1.png", png(7, 7, colour));
  write("content/topics/2.png", png(7, 7, colour + 1));
  return folder;
}

/** Copies the rows that the first version had tables and columns for. */
function writeFirstVersion(site: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  using from = new DatabaseSync(join(site, "commonplace.db"), { readOnly: true });
  using to = new DatabaseSync(join(folder, "commonplace.db"));
  to.exec(readFileSync(new URL(FIRST_MIGRATION, MIGRATIONS), "utf8"));
  to.exec("CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
  to.prepare("INSERT INTO migrations VALUES (?)").run(FIRST_MIGRATION);
  for (const table of FIRST_TABLES) {
    const columns = to.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
    const names = columns.map(({ name }) => String(name));
    const marks = names.map(() => "?").join(", ");
    const insert = to.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`);
    const only = table === "settings" ? " WHERE name IN ('site', 'types')" : "";
    for (const row of from.prepare(`SELECT * FROM ${table}${only}`).all()) {
      insert.run(...names.map((name) => row[name] ?? null));
    }
  }
}

/** Makes the reading copy look like that of another version. */
function makeReadingOld(file: string): void {
  using db = new DatabaseSync(file);
  db.exec("UPDATE reading_made SET version = 0");
}
