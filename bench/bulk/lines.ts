import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Named {
  id: string;
  title: string;
}

interface Verse extends Named {
  work: string;
  text: string;
}

/** The items of a corpus as lines of a bulk: first the items that others point to, then the others. */
export interface CorpusLines {
  first: string[];
  quotations: string[];
}

/** Reads a folder with `quotations.jsonl`, `topics.jsonl`, `works.json` and the links between them. */
export function corpusLines(folder: string): CorpusLines {
  const lines = (name: string) =>
    readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean);
  const topicsOf = new Map<string, Set<string>>();
  for (const line of lines("topic_quotation.tsv")) {
    const [topic = "", verse = ""] = line.split("\t");
    topicsOf.set(verse, (topicsOf.get(verse) ?? new Set()).add(`topic:${topic}`));
  }
  const works: Named[] = JSON.parse(readFileSync(join(folder, "works.json"), "utf8"));
  const topics = lines("topics.jsonl").map((line): Named => JSON.parse(line));
  const verses = lines("quotations.jsonl").map((line): Verse => JSON.parse(line));
  return {
    first: [
      ...works.map(({ id, title }) => ({ type: "work", title, sourceKey: `work:${id}` })),
      ...topics.map(({ id, title }) => ({ type: "topic", title, sourceKey: `topic:${id}` })),
    ].map(asLine),
    quotations: verses.map(({ id, title, work, text }) =>
      asLine({
        type: "quotation",
        title,
        sourceKey: `verse:${id}`,
        body: text,
        fields: { locator: title },
        relations: { work: [`work:${work}`], topics: [...(topicsOf.get(id) ?? [])] },
      }),
    ),
  };
}

function asLine(item: object): string {
  return `${JSON.stringify({ ...item, status: "published" })}\n`;
}
