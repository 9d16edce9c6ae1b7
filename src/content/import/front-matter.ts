import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { englishOnlyWording, type Wording } from "../../errors.ts";
import { isRecord } from "./item-parsing.ts";
import { parseToml } from "./toml.ts";
import { findYamlCostProblem } from "./yaml/yaml-cost.ts";
import { indexYamlKeys } from "./yaml/yaml-keys.ts";

interface YamlFault {
  /** Line number in the whole file, from 1. */
  line: number;
  message: Wording;
}

export interface FrontMatter {
  values: Record<string, unknown>;
  faults: YamlFault[];
  /** Keys that occur twice; the last value is used. */
  repeated: YamlFault[];
  body: string;
  /** The line number of a key in the file; the first line of the front matter if unknown. */
  lineOf(path: readonly string[]): number;
}

const FAULTS_MAX = 100;
/**
 * Matches JSON front matter, as Hugo accepts it: an object that starts on the first line. Its closing brace
 * is the first character of a line.
 */
const JSON_FRONT_MATTER = /^\{[ \t]*\n\s*"[^\n]*\n(?:(?!\})[^\n]*\n)*\}[ \t]*(?:\n|$)/;
/**
 * Matches the opening line of front matter. Eleventy and other site generators accept the name of a language
 * in this line, as in `---json`.
 */
const OPENING_FENCE = /^---[ \t]*(|ya?ml|json|toml|js|javascript|coffee|cson)[ \t]*\n/i;
const CODE_LANGUAGES: ReadonlySet<string> = new Set(["js", "javascript", "coffee", "cson"]);
const FRONT_MATTER_FENCE = /^---[ \t]*$/m;
const TOML_FENCE = /^\+\+\+[ \t]*$/m;
const NO_END: Wording = {
  en: "the front matter has no end: close it with a line of ---",
  de: "die Angaben am Anfang haben kein Ende: Schließen Sie sie mit einer Zeile aus ---",
};
const NO_END_TOML: Wording = {
  en: "the front matter has no end: close it with a line of +++",
  de: "die Angaben am Anfang haben kein Ende: Schließen Sie sie mit einer Zeile aus +++",
};
const IN_CODE: Wording = {
  en: "the front matter is code, which an import does not run: write it as YAML",
  de: "die Angaben am Anfang sind Programmcode, den ein Import nicht ausführt: Schreiben Sie sie als YAML",
};
const NO_KEYS: Wording = {
  en: "is not a list of keys and values",
  de: "ist keine Liste von Angaben",
};

const NO_FRONT_MATTER: FrontMatter = {
  values: {},
  faults: [],
  repeated: [],
  body: "",
  lineOf: () => 1,
};

/**
 * Splits a Markdown file into front matter, if any, and body. Front matter may be YAML, TOML or JSON. Front
 * matter in a programming language is reported as a fault and left out.
 */
export function readFrontMatter(source: string): FrontMatter {
  const text = source.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (/^\+\+\+[ \t]*\n/.test(text)) return readTomlFrontMatter(text);
  const [json] = JSON_FRONT_MATTER.exec(text) ?? [];
  // The parser for YAML also reads JSON.
  if (json !== undefined) return { ...parseYamlMapping(json, 0), body: text.slice(json.length) };
  const [opening, language = ""] = OPENING_FENCE.exec(text) ?? [];
  if (opening === undefined) return { ...NO_FRONT_MATTER, body: text };
  const parts = splitAt(FRONT_MATTER_FENCE, text);
  if (parts === null) return withoutValues(NO_END);
  const { inner, body } = parts;
  if (CODE_LANGUAGES.has(language.toLowerCase())) return { ...withoutValues(IN_CODE), body };
  return language.toLowerCase() === "toml"
    ? { ...readTomlValues(inner), body }
    : { ...parseYamlMapping(inner, 1), body };
}

function readTomlFrontMatter(text: string): FrontMatter {
  const parts = splitAt(TOML_FENCE, text);
  if (parts === null) return withoutValues(NO_END_TOML);
  return { ...readTomlValues(parts.inner), body: parts.body };
}

/** Splits a text after its first line and at the closing fence; null: there is no closing fence. */
function splitAt(fence: RegExp, text: string): { inner: string; body: string } | null {
  const start = text.indexOf("\n") + 1;
  const length = text.slice(start).search(fence);
  if (length < 0) return null;
  const end = text.indexOf("\n", start + length);
  return { inner: text.slice(start, start + length), body: end < 0 ? "" : text.slice(end + 1) };
}

function readTomlValues(source: string): Omit<FrontMatter, "body"> {
  const toml = parseToml(source);
  if ("fault" in toml) {
    const message = { en: `is not TOML: ${toml.fault}`, de: `ist kein TOML: ${toml.fault}` };
    return { ...NO_FRONT_MATTER, faults: [{ line: toml.line + 1, message }] };
  }
  const { values, lines } = toml;
  return { ...NO_FRONT_MATTER, values, lineOf: ([key = ""]) => (lines.get(key) ?? 0) + 1 };
}

/** Parses a YAML mapping. `linesBefore` is the number of lines above it in the file. */
export function parseYamlMapping(yaml: string, linesBefore: number): Omit<FrontMatter, "body"> {
  const costly = findYamlCostProblem(yaml);
  if (costly !== null) {
    const fault = { line: linesBefore + 1, message: costly };
    return { values: {}, faults: [fault], repeated: [], lineOf: () => linesBefore + 1 };
  }
  const { document, lineCounter } = parseTolerantly(yaml);
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + linesBefore;
  const { keyAt, ...wrongKeys } = indexYamlKeys(document.contents);
  const withLines = (found: readonly { message: Wording; at: number }[]) =>
    found
      .slice(0, FAULTS_MAX)
      .map(({ message, at }) => ({ line: lineAt(at), message: notYaml(message) }));
  const faults = withLines([
    ...document.errors.map(({ message, pos }) => ({
      message: englishOnlyWording(message),
      at: pos[0],
    })),
    ...wrongKeys.faults,
  ]);
  const repeated = withLines(wrongKeys.repeated);
  const lineOf = (path: readonly string[]): number => {
    const node = keyAt(path);
    return isNode(node) && node.range ? lineAt(node.range[0]) : linesBefore + 1;
  };
  if (faults.length > 0) return { values: {}, faults, repeated, lineOf };
  const values = plainValues(document);
  if (isRecord(values) && !(values instanceof Error)) return { values, faults, repeated, lineOf };
  const message = values instanceof Error ? notYaml(englishOnlyWording(values.message)) : NO_KEYS;
  return { values: {}, faults: [{ line: linesBefore + 1, message }], repeated, lineOf };
}

function parseTolerantly(yaml: string): { document: Document; lineCounter: LineCounter } {
  const parse = (text: string) => {
    const lineCounter = new LineCounter();
    // `uniqueKeys` would compare each key with all others, so `indexYamlKeys` finds duplicates instead.
    const options = { lineCounter, prettyErrors: false, uniqueKeys: false };
    return { document: parseDocument(text, options), lineCounter };
  };
  const strict = parse(yaml);
  if (strict.document.errors.length === 0) return strict;
  const tolerant = parse(withIndentedLines(yaml));
  return tolerant.document.errors.length === 0 ? tolerant : strict;
}

/**
 * Repairs YAML that other site generators accept. Indents the lines that continue a quoted value, indents
 * the closing bracket of a list, and replaces tabs at the start of lines. Line numbers stay the same.
 */
function withIndentedLines(yaml: string): string {
  let isQuoted = false;
  const lines = yaml.split("\n").map((written) => {
    const line = written.replace(/^\t+/, (tabs) => "  ".repeat(tabs.length));
    const opensQuote = !isQuoted && QUOTE_OPENS.test(line);
    const indented = isQuoted || CLOSES_LIST.test(line) ? `  ${line}` : line;
    if (opensQuote) isQuoted = true;
    else if (isQuoted && QUOTE_CLOSES.test(line)) isQuoted = false;
    return indented;
  });
  return lines.join("\n");
}

const CLOSES_LIST = /^[\]}]/;
/** Matches the first line of a value in double quotes that continues on the next line. */
const QUOTE_OPENS = /^[\w-]+:\s+"(?:[^"\\\n]|\\.)*$/;
const QUOTE_CLOSES = /^(?:[^"\\\n]|\\.)*"/;

/** Returns plain values, or the library's error if aliases would exhaust the memory. */
function plainValues(document: Document): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    return error;
  }
}

function withoutValues(message: Wording): FrontMatter {
  return { ...NO_FRONT_MATTER, faults: [{ line: 1, message }] };
}

function notYaml({ en, de }: Wording): Wording {
  return { en: `is not YAML: ${en}`, de: `ist kein YAML: ${de}` };
}
