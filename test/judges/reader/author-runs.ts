import type { Verdict } from "../verdict.ts";
import { verdict } from "./layout.ts";
import { patientFetch } from "./patient-fetch.ts";

const TOPICS = 20;
const FIRST = 10;
const OF_FIRST_MAX = 3;
/** The pages that most readers see. */
const FIRST_PAGES = 2;
const IN_A_ROW_MAX = 3;
/** Higher, since the last pages of a topic run out of other authors if one wrote half of it. */
const ON_LAST_PAGES_MAX = 6;

/** Checks that no author fills the lists of the biggest topics: among the first lines, and in a row. */
export async function judgeAuthorRuns(origin: string): Promise<Verdict[]> {
  const topics = await biggestTopics(origin);
  const filled: string[] = [];
  const rows: string[] = [];
  const lastRows: string[] = [];
  for (const topic of topics) {
    const pages = await pagesOf(`${origin}${topic}`);
    const authors = pages.flat();
    const first = Map.groupBy(authors.slice(0, FIRST), (author) => author);
    for (const [author, { length }] of first) {
      if (length > OF_FIRST_MAX) filled.push(`${topic}: ${length} of ${author}`);
    }
    const longest = longestRow(pages.slice(0, FIRST_PAGES).flat());
    if (longest > IN_A_ROW_MAX) rows.push(`${topic}: ${longest}`);
    const longestOfAll = longestRow(authors);
    if (longestOfAll > ON_LAST_PAGES_MAX) lastRows.push(`${topic}: ${longestOfAll}`);
  }
  return [
    verdict(
      `topics with an author more than ${OF_FIRST_MAX} times among the first ${FIRST} lines`,
      filled,
    ),
    verdict(
      `topics with an author more than ${IN_A_ROW_MAX} times in a row on ${FIRST_PAGES} pages`,
      rows,
    ),
    verdict(
      `topics with an author more than ${ON_LAST_PAGES_MAX} times in a row on any page`,
      lastRows,
    ),
  ];
}

/** Paths, those with the most quotations first. */
async function biggestTopics(origin: string): Promise<string[]> {
  const counts = await (
    await patientFetch(`${origin}/search.md?type=quotation&count_by=topics`)
  ).text();
  const paths = [...counts.matchAll(/\]\([^)]*(?<path>\/topics\/[^)]+)\.md\) – \d/g)].map(
    ({ groups }) => groups?.["path"] ?? "",
  );
  if (paths.length < TOPICS) throw new Error(`Only ${paths.length} topics have quotations`);
  return paths.slice(0, TOPICS);
}

/** The authors of the quotations on each page of a list. */
async function pagesOf(url: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | null = url; next !== null; ) {
    const page: string = await (await patientFetch(next)).text();
    pages.push(authorsOn(page));
    const query = /<a rel="next" href="[^"?]*(\?page=\d+)"/.exec(page)?.[1];
    next = query === undefined ? null : url + query;
  }
  if (pages.length < FIRST_PAGES) throw new Error(`${url} shows too few quotations`);
  return pages;
}

function authorsOn(page: string): string[] {
  const figures = page.split('<figure class="quote">').slice(1);
  return figures.map((figure) => /href="(\/authors\/[^"]+)"/.exec(figure)?.[1] ?? "");
}

function longestRow(authors: readonly string[]): number {
  let longest = 0;
  let row = 0;
  authors.forEach((author, place) => {
    row = author === authors[place - 1] ? row + 1 : 1;
    longest = Math.max(longest, row);
  });
  return longest;
}
