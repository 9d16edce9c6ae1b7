import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { siteProfileSchema } from "../../src/content/site/site.ts";
import { contentTypeSchema } from "../../src/content/types/content-type.ts";
import type { DocumentContext } from "../../src/discovery/document.ts";
import { findDocument } from "../../src/discovery/documents.ts";
import { ORIGIN, openReading, type ReadingStore } from "../support/reading-store.ts";

const FOLDER = new URL("../support/fixture/", import.meta.url);
const NOW = new Date("2026-11-21T10:00:00.000Z");

const EVENT = contentTypeSchema.parse(parse(file("types/event.yaml")));
const SITE = siteProfileSchema.parse(parse(file("site.yaml")));

/** The pages of the fixture and the paths they stand at. */
const PAGES: readonly [name: string, path: string][] = [
  ["index.md", "/"],
  ["about.md", "/about"],
  ["contact.md", "/contact"],
  ["privacy.md", "/privacy"],
  ["ueber-uns.md", "/über-uns"],
];

/** The fixture site in a reading copy of its own, with every time fixed. */
export function openFixtureSite(): ReadingStore & { context: DocumentContext } {
  const store = openReading([EVENT]);
  store.writer.saveSite(SITE, store.types);
  store.transaction(() => {
    for (const [name, path] of PAGES) putPage(store, name, path);
    for (const line of `${file("content/archive.jsonl")}\n${file("content/events.jsonl")}`.split(
      "\n",
    )) {
      if (line.trim() !== "") putLine(store, line);
    }
  });
  const context = { reading: store.reading, origin: ORIGIN, version: "0.1.0", now: NOW };
  return Object.assign(store, { context });
}

/** The document at a path, whole; null where there is none. */
export function documentText(context: DocumentContext, path: string): string | null {
  const found = findDocument(path);
  const rendered = found?.document.render(context, found.parameters) ?? null;
  return rendered === null || typeof rendered === "string" ? rendered : [...rendered].join("");
}

/** As `documentText`, where there must be one. */
export function textOf(context: DocumentContext, path: string): string {
  const text = documentText(context, path);
  if (text === null) throw new Error(`There is no document at ${path}`);
  return text;
}

function putPage(store: ReadingStore, name: string, path: string): void {
  const [, head = "", body = ""] = file(`content/${name}`).split(/^---\n/m);
  const { title, summary, language, translationOf } = parse(head);
  store.put("page", path, {
    title,
    summary,
    body,
    ...(language === undefined ? {} : { language, translationOf }),
    updatedAt: "2026-10-01T09:00:00.000Z",
  });
}

function putLine(store: ReadingStore, line: string): void {
  const { fields, relations, slug, ...rest } = JSON.parse(line);
  const input = itemInputSchema.parse({ ...rest, slug });
  const type = store.types.get(input.type);
  store.put(input.type, `${type?.listPath}/${slug}`, {
    title: input.title,
    summary: input.summary,
    body: input.body,
    fields: fields ?? {},
    relations: relations ?? {},
    language: input.language ?? "en",
    updatedAt: "2026-11-02T09:00:00.000Z",
  });
}

function file(name: string): string {
  return readFileSync(new URL(name, FOLDER), "utf8");
}
