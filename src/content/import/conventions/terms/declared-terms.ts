import { parseYamlMapping, readFrontMatter } from "../../front-matter.ts";
import { isRecord } from "../../item-parsing.ts";
import { parseToml } from "../../toml.ts";
import { type NamedTerm, parseTerm } from "./term-values.ts";

/** Authors and tags declared in data files of a folder, keyed by the id that texts use. */
export interface DeclaredTerms {
  authors: ReadonlyMap<string, NamedTerm>;
  tags: ReadonlyMap<string, NamedTerm>;
}

/**
 * Data files of authors: `_data/authors.yml`, `blog/authors.yml`, `data/authors/jane.toml`,
 * `_authors/jane.md`.
 */
const AUTHORS_FILE = /(?:^|\/)_?authors(?:\.(?:ya?ml|json|toml)|\/[^/]+\.(?:ya?ml|json|toml|md))$/;
/** Data files of tags in Docusaurus. */
const TAGS_FILE = /(?:^|\/)tags\.yml$/;
const FILES_MAX = 2000;

export async function readDeclaredTerms({
  files,
  textOf,
  yieldBetween,
}: {
  files: readonly string[];
  textOf: (file: string) => string;
  /** Called between files to yield to the event loop. */
  yieldBetween: () => Promise<void>;
}): Promise<DeclaredTerms> {
  const read = async (pattern: RegExp) => {
    const terms = new Map<string, NamedTerm>();
    for (const file of files.filter((each) => pattern.test(each)).slice(0, FILES_MAX)) {
      await yieldBetween();
      for (const [id, term] of termsIn(file, textOf(file))) terms.set(id, term);
    }
    return terms;
  };
  return { authors: await read(AUTHORS_FILE), tags: await read(TAGS_FILE) };
}

function termsIn(file: string, text: string): [string, NamedTerm][] {
  const values = valuesIn(file, text);
  const [, one] = /(?:^|\/)_?authors\/([^/]+)\.\w+$/.exec(file) ?? [];
  if (one !== undefined) return [one, values["short_name"]].flatMap((id) => termEntry(id, values));
  return Object.entries(values).flatMap(([id, value]) => termEntry(id, value));
}

function termEntry(id: unknown, value: unknown): [string, NamedTerm][] {
  const term = isRecord(value) ? parseTerm(value) : null;
  if (typeof id !== "string" || term === null || "fault" in term) return [];
  return [[id, term]];
}

function valuesIn(file: string, text: string): Readonly<Record<string, unknown>> {
  if (file.endsWith(".md")) return readFrontMatter(text).values;
  if (!file.endsWith(".toml")) return parseYamlMapping(text, 0).values;
  const toml = parseToml(text);
  return "values" in toml ? toml.values : {};
}
