import { DatabaseSync } from "node:sqlite";

const TOPIC = "/topics/time";
const QUOTATION = "/quotations/abacot";
const QUOTATIONS_A_PAGE = 25;

/** Real pages. Those of each kind have similar sizes. */
export interface Addresses {
  /** Full pages of quotations on a topic. */
  topics: string[];
  quotations: string[];
}

export function addressesIn(file: string): Addresses {
  using db = new DatabaseSync(file, { readOnly: true });
  const topics = db
    .prepare(
      `SELECT i.path, count(*) AS quotations FROM reading_item i
       JOIN reading_link l ON l.target = i.row AND l.source_type = 'quotation'
       WHERE i.type = 'topic' GROUP BY i.row ORDER BY i.path = ? DESC, i.path LIMIT 200`,
    )
    .all(TOPIC);
  const quotations = db
    .prepare(
      "SELECT path FROM reading_item WHERE type = 'quotation' ORDER BY path = ? DESC, path LIMIT 4000",
    )
    .all(QUOTATION);
  return {
    topics: topics.flatMap((topic) =>
      fullPages(String(topic["path"]), Number(topic["quotations"])),
    ),
    quotations: quotations.map((quotation) => encodeURI(String(quotation["path"]))),
  };
}

function fullPages(path: string, quotations: number): string[] {
  const address = encodeURI(path);
  const pages = Math.min(Math.floor(quotations / QUOTATIONS_A_PAGE), 20);
  return Array.from({ length: pages }, (_, page) =>
    page === 0 ? address : `${address}?page=${page + 1}`,
  );
}

/** Makes the server of a store discard its cached answers, as every change of the content does. */
export class ForgetfulStore implements Disposable {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file, { timeout: 5000 });
  }

  forget(): void {
    this.#db.exec("UPDATE reading_state SET version = version + 1");
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
