import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { buildSiteFolderFiles } from "../src/cli/site-folder.ts";
import { parseJsonLine } from "../src/content/import/json-line.ts";
import { parseMarkdownFile, readMarkdown } from "../src/content/import/markdown-file.ts";
import { parseSiteProfile, parseTypeFile } from "../src/content/import/site-file.ts";
import { itemInputSchema } from "../src/content/items/item.ts";
import { LOOKS } from "../src/content/site/look/look.ts";
import { siteProfileSchema } from "../src/content/site/site.ts";
import { BUILT_IN_TYPES } from "../src/content/types/built-in.ts";
import {
  type ContentType,
  contentTypeSchema,
  FIELD_KINDS,
} from "../src/content/types/content-type.ts";
import { fencedBlocksOf } from "./support/markdown-documents.ts";

const DOCUMENT = readFileSync("docs/site-folder.md", "utf8");
const YAML = fencedBlocksOf(DOCUMENT, "yaml");
const PAGES = fencedBlocksOf(DOCUMENT, "markdown");
const LINES = fencedBlocksOf(DOCUMENT, "json").flatMap((block) => block.trimEnd().split("\n"));

const declared = YAML.filter((text) => text.startsWith("# types/")).map(typeIn);
const types = new Map([...BUILT_IN_TYPES, ...declared].map((type) => [type.name, type]));
const reading = {
  types,
  unknown: "refuse",
  now: new Date("2026-11-20T12:00:00Z"),
  timeZone: "UTC",
  pathOf: () => undefined,
} as const;

function typeIn(text: string): ContentType {
  const { value, problems } = parseTypeFile(text);
  assert.deepEqual(problems, []);
  assert(value !== null);
  return value;
}

describe("the page on the site folder", () => {
  it("has a site.yaml with every key there is", () => {
    const text = YAML.find((block) => block.startsWith("# site.yaml")) ?? "";
    assert.deepEqual(parseSiteProfile(text).problems, []);
    const keys = [...text.matchAll(/^([A-Za-z]+):/gm)].map((match) => match[1] ?? "");
    assert.deepEqual(keys.sort(), Object.keys(siteProfileSchema.shape).sort());
  });

  it("declares types with every key and every kind of field there is", () => {
    const text = YAML.filter((block) => block.startsWith("# types/")).join("\n");
    assert.equal(declared.length, YAML.length - 1);
    const missing = [
      ...Object.keys(contentTypeSchema.shape).filter((key) => !text.includes(`\n${key}:`)),
      ...FIELD_KINDS.filter((kind) => !text.includes(`kind: ${kind}`) && kind !== "enum"),
    ];
    assert.deepEqual(missing, []);
    for (const kind of FIELD_KINDS) assert(DOCUMENT.includes(`\`${kind}\``), kind);
  });

  it("has front matter that is right, with every key of an item and of each built-in type", () => {
    const inputs = PAGES.map((text, at) =>
      parseMarkdownFile(readMarkdown({ file: `${at}.md`, text }, null), reading),
    );
    assert.deepEqual(
      inputs.flatMap(({ problems }) => problems),
      [],
    );
    const stated = PAGES.join("\n");
    const inGroups = ["body", "fields", "relations"];
    const keys = Object.keys(itemInputSchema.shape).filter((key) => !inGroups.includes(key));
    for (const { fields, relations } of BUILT_IN_TYPES) {
      keys.push(...Object.keys(fields), ...Object.keys(relations));
    }
    const missing = keys.filter((key) => !stated.includes(`\n${key}:`));
    assert.deepEqual(missing, []);
    const shown = new Set(inputs.map(({ input }) => input?.type));
    const unshown = [...types.keys()].filter((name) => name !== "project" && !shown.has(name));
    assert.deepEqual(unshown, []);
  });

  it("has JSON lines that are right", () => {
    const problems = LINES.flatMap(
      (text, at) => parseJsonLine(text, { file: "a.jsonl", line: at + 1, ...reading }).problems,
    );
    assert.deepEqual(problems, []);
    assert(LINES.length >= 2);
  });
});

describe("the folder of a new site", () => {
  const files = buildSiteFolderFiles({
    name: "Friends: of Walden",
    address: "https://walden.example",
    language: "en",
    timeZone: "Europe/Berlin",
    look: LOOKS[0],
    withDemo: false,
  });

  it("has types and examples that are right, and settings that the program reads", () => {
    const declarations = Object.keys(files).filter((file) => /^(?:types|examples)\//.test(file));
    assert.deepEqual(declarations, [
      "types/event.yaml",
      "types/news.yaml",
      "examples/project.yaml",
    ]);
    for (const file of declarations) {
      assert.deepEqual(parseTypeFile(files[file] ?? "").problems, [], file);
    }
    assert.deepEqual(parseSiteProfile(files["site.yaml"] ?? "").problems, []);
    const guide = readFileSync(join(import.meta.dirname, "../docs/operating.md"), "utf8");
    const settings = [...(files[".env"] ?? "").matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]);
    assert.deepEqual(settings, ["PUBLIC_URL", "DATA_DIR", "DEMO"]);
    for (const name of settings) assert(guide.includes(`| \`${name}\``), name);
  });
});
