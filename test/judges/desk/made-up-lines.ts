import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { madeUpCorpus } from "../scale/corpus.ts";

/** Writes this many made-up items as JSON lines into a folder. @returns the file. */
export function madeUpLines(folder: string, items: number): string {
  const topics = Math.round(items / 7);
  const corpus = madeUpCorpus({ works: 66, topics, quotations: items - topics - 66 });
  const file = join(folder, "made-up.jsonl");
  writeFileSync(file, [...corpus.first, ...corpus.quotations].join(""));
  return file;
}
