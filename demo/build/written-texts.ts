import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const topicTextSchema = z.strictObject({
  summary: z.string(),
  text: z.string(),
  see_also: z.array(z.string()),
});

const doubtSchema = z.tuple([z.enum(["disputed", "misattributed"]), z.string()]);

/** How a quotation is called that is not, or perhaps not, by whom it is ascribed to, and why. */
export type Doubt = z.output<typeof doubtSchema>;

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

/** The quotations whose ascription is wrong or in doubt, by slug. */
export function doubtedQuotations(): ReadonlyMap<string, Doubt> {
  return readTexts("doubts", doubtSchema);
}

function readTexts<T>(name: string, schema: z.ZodType<T>): ReadonlyMap<string, T> {
  const text = readFileSync(join(import.meta.dirname, "texts", `${name}.yaml`), "utf8");
  return new Map(Object.entries(z.record(z.string(), schema).parse(parse(text))));
}
