import type { Verdict } from "../verdict.ts";
import { verdict } from "./layout.ts";
import { patientFetch } from "./patient-fetch.ts";

const TOPICS = 20;
const FIRST = 10;
const OF_FIRST_MAX = 3;
const PAGES = 2;
const IN_A_ROW_MAX = 3;

/** Checks that no author fills the lists of the biggest topics: among the first lines, and in a row on later pages. */
export async function judgeAuthorRuns(origin: string): Promise<Verdict[]> {
  const topics = await biggestTopics(origin);
  const filled: string[] = [];
  const rows: string[] = [];
  for (const topic of topics) {
    const authors: string[] = [];
    for (let page = 1; page <= PAGES; page += 1) {
      authors.push(...(await authorsOn(`${origin}${topic}?page=${page}`)));
    }
    const first = Map.groupBy(authors.slice(0, FIRST), (author) => author);
    for (const [author, { length }] of first) {
      if (length > OF_FIRST_MAX) filled.push(`${topic}: ${length} of ${author}`);
    }
    const longest = longestRow(authors);
    if (longest > IN_A_ROW_MAX) rows.push(`${topic}: ${longest}`);
  }
  return [
    verdict(
      `topics with an author more than ${OF_FIRST_MAX} times among the first ${FIRST} lines`,
      filled,
    ),
    verdict(
      `topics with an author more than ${IN_A_ROW_MAX} times in a row on ${PAGES} pages`,
      rows,
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

async function authorsOn(url: string): Promise<string[]> {
  const figures = (await (await patientFetch(url)).text()).split('<figure class="quote">').slice(1);
  if (figures.length === 0) throw new Error(`${url} shows no quotation`);
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
