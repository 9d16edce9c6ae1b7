import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { itemOf, openReading, type ReadingStore } from "./reading-store.ts";

const CONTENT = join(import.meta.dirname, "../../demo/content");
const FILES = ["1-topics.jsonl", "2-authors.jsonl", "3-works.jsonl", "4-quotations.jsonl"];

const lineSchema = z.object({
  type: z.string(),
  path: z.string(),
  title: z.string(),
  summary: z.string().default(""),
  body: z.string().default(""),
  fields: z.record(z.string(), z.any()).default({}),
  relations: z
    .record(
      z.string(),
      z.array(z.union([z.string(), z.object({ to: z.string(), note: z.string() })])),
    )
    .default({}),
  language: z.string().default("en"),
});

export type DemoItem = z.output<typeof lineSchema>;

/** The demo's topics, authors, works and quotations. */
export function demoItems(): DemoItem[] {
  return FILES.flatMap((file) =>
    readFileSync(join(CONTENT, file), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => lineSchema.parse(JSON.parse(line))),
  );
}

/** The reading copy of the demo without a record, which takes two seconds instead of ten. */
export function openDemoReading(items: readonly DemoItem[]): ReadingStore {
  const store = openReading();
  store.transaction(() => {
    for (const { type, path, ...item } of items) store.writer.put(itemOf(type, path, item));
    store.flush();
  });
  return store;
}
