import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const topicTextSchema = z.strictObject({
  summary: z.string(),
  text: z.string(),
  see_also: z.array(z.string()),
});

/** What was written for the demo on its topics, by the id of the corpus. */
export function topicTexts(): ReadonlyMap<string, z.output<typeof topicTextSchema>> {
  return readTexts("topics", topicTextSchema);
}

/** What was written for the demo on its authors, as Markdown, by the id of the corpus. */
export function authorTexts(): ReadonlyMap<string, string> {
  return readTexts("authors", z.string());
}

/** The quotations that open the lists they belong to, by slug, with the topics they were gathered under by hand. */
export function featuredQuotations(): ReadonlyMap<string, readonly string[]> {
  return readTexts("featured", z.array(z.string()));
}

function readTexts<T>(name: string, schema: z.ZodType<T>): ReadonlyMap<string, T> {
  const text = readFileSync(join(import.meta.dirname, "texts", `${name}.yaml`), "utf8");
  return new Map(Object.entries(z.record(z.string(), schema).parse(parse(text))));
}
