import { stripTypeScriptTypes } from "node:module";
import { mayBeEnglishOnly } from "./english-only.ts";
import { isAllowed } from "./floor-plan.ts";

/** A house rule: what it says, which files it covers, and a file that breaks it. */
export interface TidyRule {
  name: string;
  holdsIn: RegExp;
  /** The violations in a file; empty: none. */
  violations(file: string, source: string): string[];
  /** Paths and texts that break the rule, to prove that it can fail. */
  broken: readonly { file: string; source: string }[];
  /** Texts that a looser rule would report by mistake. */
  fine?: readonly { file: string; source: string }[];
}

/** Rules that look for words would find their own patterns. */
const NOT_THIS_FILE = /^(?!test\/support\/tidy-rules\.ts$).*\.ts$/;

const LINES_MAX = 300;
/** Allows "The MCP service", because that is its usual name. */
const VAGUE_NAME =
  /(^|[-/.])(utils?|utilities|helpers?|common|misc|managers?|(?<!mcp-)services?|shared|index)([/.]|$)/;

export const TIDY_RULES: readonly TidyRule[] = [
  {
    name: "imports keep to the floor plan",
    holdsIn: /^src\//,
    violations: (file, source) =>
      importsOf(source)
        .filter((target) => !isAllowed(file, target))
        .map((target) => `imports ${target}`),
    broken: [
      { file: "src/content/a.ts", source: 'import { open } from "../storage/open.ts";' },
      { file: "src/content/a.ts", source: 'import type { Hono } from "hono";' },
      { file: "src/content/a.ts", source: 'import { readFileSync } from "node:fs";' },
      { file: "src/http/site/a.ts", source: 'const page = await import("../../mcp/handler.ts");' },
      { file: "src/render/a.ts", source: 'import "../http/app.ts";' },
      { file: "src/cli/a.ts", source: 'import { x } from "../storage/record/open.ts";' },
    ],
    fine: [
      { file: "src/http/site/a.ts", source: 'import { AppError } from "../../errors.ts";' },
      {
        file: "src/content/types/a.ts",
        source: 'import { defineType } from "../content-type.ts";',
      },
      { file: "src/content/a.ts", source: 'export type From = "from" | "hono";' },
    ],
  },
  {
    name: "what administrators can be shown is in every language of their screens",
    holdsIn: /^src\/(?!errors\.ts$|http\/front\.ts$|transfer\/job-queue\.ts$)/,
    violations: (file, source) =>
      mayBeEnglishOnly(file)
        ? []
        : matches(
            codeOf(source),
            /\benglishOnlyWording\b|\berror: ["'`]|\.(?:refine|regex)\([^\n]*, ["'`]/g,
          ),
    broken: [
      {
        file: "src/content/drafts/a.ts",
        source: 'throw new AppError("gone", englishOnlyWording("Gone"));',
      },
      { file: "src/content/site/a.ts", source: 'z.string().regex(/a/, "is no name");' },
      { file: "src/access/people/a.ts", source: 'z.string({ error: "is no name" });' },
    ],
    fine: [
      { file: "src/cli/a.ts", source: 'throw new AppError("gone", englishOnlyWording("Gone"));' },
      {
        file: "src/content/drafts/a.ts",
        source: 'throw new AppError("gone", { en: "Gone", de: "Weg" });',
      },
    ],
  },
  {
    name: "the domain takes time and randomness as parameters",
    holdsIn: /^src\/(content|access|render|discovery)\//,
    violations: (_file, source) =>
      matches(
        codeOf(source),
        /\bDate\.now\(|\bnew Date\(\s*\)|\bDate\(\s*\)|\bMath\.random\b|\bperformance\.now\(/g,
      ),
    broken: [
      { file: "src/content/a.ts", source: "const at = Date.now();" },
      { file: "src/discovery/a.ts", source: "const at = new Date();" },
      { file: "src/access/a.ts", source: "const n = Math.random();" },
    ],
    fine: [
      { file: "src/content/a.ts", source: "const at = new Date(text);" },
      { file: "src/content/a.ts", source: "// never Date.now() here" },
    ],
  },
  {
    name: "no text becomes code, and no shell reads a command",
    holdsIn: /^src\//,
    violations: (_file, source) =>
      matches(codeOf(source), /(?<![.\w])(?:eval|exec|execSync|Function)\(|\bshell:/g),
    broken: [
      { file: "src/cli/a.ts", source: "execSync(command);" },
      { file: "src/cli/a.ts", source: 'spawn("ls", [name], { shell: true });' },
      { file: "src/content/a.ts", source: "const run = new Function(text);" },
    ],
    fine: [
      { file: "src/cli/a.ts", source: 'execFile("ls", ["--", name]); PATTERN.exec(name);' },
      { file: "src/storage/a.ts", source: 'db.exec("BEGIN");' },
    ],
  },
  {
    name: "only config.ts and main.ts read the environment",
    holdsIn: /^src\/(?!config\.ts$|main\.ts$)/,
    violations: (_file, source) =>
      matches(codeOf(source), /\bprocess\.env\b|\benv\b.*from "node:process"/g),
    broken: [
      { file: "src/app.ts", source: "const port = process.env.PORT;" },
      { file: "src/app.ts", source: 'import { env } from "node:process";' },
    ],
  },
  {
    name: "nothing under mcp/ can write",
    holdsIn: /^src\/mcp\//,
    violations: (_file, source) =>
      importsOf(source).filter((target) =>
        /content\/editing|content\/import|access\/keys\/(?!challenge)|access\/audit|storage|^kysely$|^node:(sqlite|fs|child_process)/.test(
          target,
        ),
      ),
    broken: [
      {
        file: "src/mcp/tools/a.ts",
        source: 'import { saveItem } from "../../content/editing/editing.ts";',
      },
      { file: "src/mcp/a.ts", source: 'import { issueKey } from "../access/keys/keys.ts";' },
      { file: "src/mcp/a.ts", source: 'import { writeFile } from "node:fs/promises";' },
    ],
  },
  {
    name: "types tell the truth: no casts, no any, no assertion that something is there",
    holdsIn: /\.ts$/,
    violations: (_file, source) => untruths(source),
    broken: [
      { file: "src/a.ts", source: "const item = found as Item;" },
      { file: "src/a.ts", source: "const item = found as unknown as Item;" },
      { file: "src/a.ts", source: "const item = found!;" },
      { file: "src/a.ts", source: "const item = found!.title;" },
      { file: "src/a.ts", source: "function f(x: any) {}" },
      { file: "src/a.ts", source: "const m = new Map<string, any>();" },
      { file: "src/a.ts", source: "class A { name!: string; }" },
    ],
    fine: [
      { file: "src/a.ts", source: 'import { type A as B, c as d } from "./b.ts";\nexport { d };' },
      { file: "src/a.ts", source: "const kinds = [1, 2] as const satisfies readonly number[];" },
      { file: "src/a.ts", source: "const sql = 'select a as b from c'; // seen as any" },
      { file: "src/a.ts", source: "type Renamed<T> = { [K in keyof T as Lowercase<K>]: T[K] };" },
      { file: "src/a.ts", source: "const wrong = !(a != b) && a !== c;" },
      { file: "src/a.ts", source: "const first = <T>(list: T[]): T | undefined => list[0];" },
    ],
  },
  {
    name: "no statement of the reading copy is compiled again for its limit",
    holdsIn: /^src\/storage\/reading\//,
    violations: (_file, source) =>
      [...source.matchAll(/\b(?:LIMIT|OFFSET) \?/g)].map(([found]) => `says ${found}: write +?`),
    broken: [
      { file: "src/storage/reading/a.ts", source: 'sql.of("SELECT 1 FROM a LIMIT ?");' },
      { file: "src/storage/reading/a.ts", source: 'sql.of("SELECT 1 FROM a LIMIT +? OFFSET ?2");' },
    ],
    fine: [{ file: "src/storage/reading/a.ts", source: 'sql.of("SELECT 1 LIMIT +? OFFSET +?");' }],
  },
  {
    name: "no check is switched off",
    holdsIn: NOT_THIS_FILE,
    violations: (_file, source) =>
      matches(source, /@ts-(ignore|expect-error|nocheck)|(biome|eslint)-(ignore|disable)/g),
    broken: [
      { file: "src/a.ts", source: "// @ts-ignore: later" },
      { file: "test/a.test.ts", source: "// biome-ignore lint: noise" },
    ],
  },
  {
    name: "comments are sentences: no banners, no TODO",
    holdsIn: NOT_THIS_FILE,
    violations: (_file, source) =>
      matches(source, /^\s*\/\/\s*[-=*#]{3,}.*$|\/\/.*\b(TODO|FIXME|XXX)\b/gm),
    broken: [
      { file: "src/a.ts", source: `// ${"-".repeat(20)} part two` },
      { file: "src/a.ts", source: "const a = 1; // TODO: more" },
    ],
  },
  {
    name: `files have at most ${LINES_MAX} lines`,
    holdsIn: /^src\//,
    violations: (_file, source) => {
      const lines = source.trimEnd().split("\n").length;
      return lines > LINES_MAX ? [`has ${lines} lines`] : [];
    },
    broken: [{ file: "src/a.ts", source: "a();\n".repeat(LINES_MAX + 1) }],
    fine: [{ file: "src/a.ts", source: "a();\n".repeat(LINES_MAX) }],
  },
  {
    name: "names say what a thing is",
    holdsIn: /\.ts$/,
    violations: (file) => (VAGUE_NAME.test(file) ? ["has a name that says nothing"] : []),
    broken: [
      { file: "src/content/utils.ts", source: "" },
      { file: "src/content/date-helpers.ts", source: "" },
      { file: "src/http/index.ts", source: "" },
      { file: "src/common/dates.ts", source: "" },
    ],
    fine: [
      { file: "src/search/postings/index-entries.ts", source: "" },
      { file: "src/content/commonplace.ts", source: "" },
    ],
  },
  {
    name: "no default exports and no barrels",
    holdsIn: /^src\//,
    violations: (_file, source) =>
      matches(codeOf(source), /^export default\b|^export (type )?(\*|\{[^}]*\})[^;]*\bfrom\b/gm),
    broken: [
      { file: "src/a.ts", source: "export default function a() {}" },
      { file: "src/a.ts", source: 'export * from "./b.ts";' },
      { file: "src/a.ts", source: 'export { b } from "./b.ts";' },
    ],
  },
];

/**
 * The targets of static and bare imports and of dynamic imports with literal paths, including type imports.
 */
function importsOf(source: string): string[] {
  const statement = /^(?:import|export)\b[^"';]*\bfrom\s*["']([^"'\s]+)["']/gm;
  const bareOrDynamic = /(?:^import|\bimport\()\s*["']([^"'\s]+)["']/gm;
  return [...source.matchAll(statement), ...source.matchAll(bareOrDynamic)].map(
    (match) => match[1] ?? "",
  );
}

/** The source without comment lines. */
function codeOf(source: string): string {
  return source
    .split("\n")
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
    .join("\n");
}

/**
 * Finds casts, `any` and `!` by what Node's type stripping blanks out. A cast is a blanked stretch that
 * starts with `as`, so that strings, comments and renaming imports are not mistaken for one. (Node cannot run
 * casts in angle brackets at all.)
 */
function untruths(source: string): string[] {
  return blankedStretches(source).filter(
    (stretch) =>
      (/^as\b/.test(stretch) && !/^as\s+const\b/.test(stretch)) ||
      /^!/.test(stretch) ||
      /(^|[:<,|&(=]\s*)any\b/.test(stretch),
  );
}

function blankedStretches(source: string): string[] {
  const stripped = stripTypeScriptTypes(source);
  const stretches: string[] = [];
  let start = -1;
  for (let at = 0; at <= source.length; at += 1) {
    const blank = at < source.length && /\s/.test(stripped[at] ?? "");
    if (blank && start === -1 && source[at] !== stripped[at]) start = at;
    if (!blank && start !== -1) {
      stretches.push(withoutComments(source.slice(start, at)).trim());
      start = -1;
    }
  }
  return stretches;
}

function withoutComments(types: string): string {
  return types.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, (comment) =>
    comment.startsWith("//") ? "" : " ",
  );
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => `has ${match[0].trim()}`);
}
