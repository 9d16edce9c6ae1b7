import type { Wording } from "../../errors.ts";
import { BODY_BYTES_MAX, TITLE_CHARACTERS_MAX } from "../items/item.ts";
import { trimBody } from "../items/trimmed-body.ts";
import { adaptFile } from "./conventions/adapting.ts";
import type { FolderConventions } from "./conventions/folder-conventions.ts";
import { missingPictureWarning } from "./conventions/lead-picture.ts";
import { readFrontMatterOrMetadata } from "./conventions/metadata-lines.ts";
import { isHtmlFile, titleOfFile } from "./file-path.ts";
import { convertMetadataToFrontMatter } from "./html/html-front-matter.ts";
import { xhtmlToHtml } from "./html/html-page.ts";
import { type HtmlTask, type HtmlTaskResult, runHtmlTask } from "./html/html-task.ts";
import { NO_REPEATED_PARTS } from "./html/repeated-parts.ts";
import { type ParseOptions, parseItem } from "./item-parsing.ts";
import { countLineBreaks } from "./lines.ts";
import {
  type LinkedMediaFile,
  replaceBareFileAddresses,
  rewriteRelativeLinks,
  type SiteLookup,
} from "./markdown-links.ts";
import { type MarkdownOutline, parseMarkdownOutline } from "./markdown-outline.ts";
import type { ImportProblem, ParsedItem } from "./parsed-item.ts";
import type { MarkdownFileContent } from "./parsing/markdown-file-content.ts";
import {
  conversionWarnings,
  importWarning,
  warnAboutBrokenLinks,
} from "./parsing/markdown-warnings.ts";
import { resolvePortraitAddress } from "./parsing/portrait-file.ts";
import { removeTitleHeading } from "./parsing/titled-text.ts";
import {
  addStatedOrDefaultPath,
  findListAddressConflict,
  findUnsupportedAliasKeys,
  type InputWithPath,
  readTypeAliasesAndPostDates,
  reservedPathWarnings,
} from "./type-and-path.ts";

const TOO_DEEP: Wording = { en: "nests too deep", de: "ist zu tief verschachtelt" };

export interface MarkdownFile {
  /** The file's path relative to the import folder, with `/` as separator. */
  file: string;
  text: string;
}

interface Options extends ParseOptions {
  /** Returns the site path of another file of the import. */
  pathOf: (file: string) => string | undefined;
  /** Finds pages and files of the whole site. Used for a file in a folder of another site generator. */
  wholeSite?: SiteLookup | null;
  /** Imported media files, keyed by the link as the author wrote it. */
  media?: ReadonlyMap<string, LinkedMediaFile>;
  /**
   * The outline of the text that {@link bodyForOutline} returns. If absent, the outline is computed here,
   * which may take a long time for a large text.
   */
  outline?: MarkdownOutline;
}

/**
 * Parses a file. Follows the conventions of the site generator that the file was written for, if any. HTML
 * becomes Markdown, and its metadata becomes front matter.
 */
export function readMarkdown(
  file: MarkdownFile,
  conventions: FolderConventions | null,
): MarkdownFileContent {
  const steps = readMarkdownInSteps(file, conventions);
  let step = steps.next();
  while (step.done !== true) step = steps.next(runHtmlTask(step.value));
  return step.value;
}

/** Like {@link readMarkdown}, but yields the steps that may take a long time, for the caller to run. */
export function* readMarkdownInSteps(
  { file, text: written }: MarkdownFile,
  conventions: FolderConventions | null,
): Generator<HtmlTask, MarkdownFileContent, HtmlTaskResult> {
  const text = xhtmlToHtml(file, written);
  const header = readFrontMatterOrMetadata(text, conventions?.generator.metadata);
  const linesBefore = countLineBreaks(text) - countLineBreaks(header.body);
  const isHtml = isHtmlFile(file);
  const repeated = conventions?.repeatedNear(file) ?? NO_REPEATED_PARTS;
  const metadata = isHtml
    ? (yield { output: "metadata", html: header.body, repeated }).metadata
    : {};
  const hasTemplates = conventions !== null && conventions.generator.tags !== null;
  const frontMatter = {
    ...convertMetadataToFrontMatter(metadata, { hasTemplates }),
    ...header.values,
  };
  const parsed = { file, values: frontMatter, body: header.body };
  const adapted = conventions === null ? null : adaptFile(parsed, conventions);
  const { values, body } = adapted ?? parsed;
  const needsConversion = isHtml && adapted?.skipped == null;
  const converted: Pick<HtmlTaskResult, "markdown" | "fault" | "notes"> = needsConversion
    ? yield { output: "markdown", html: body, repeated }
    : { markdown: body };
  const yamlFaults = adapted === null ? [...header.faults, ...header.repeated] : header.faults;
  const faults = adapted?.skipped == null ? [...yamlFaults] : [];
  if (converted.markdown === null) faults.push({ line: 1, message: converted.fault ?? TOO_DEEP });
  return {
    ...header,
    values,
    faults,
    body: converted.markdown ?? "",
    file,
    linesBefore,
    isConverted: isHtml,
    adapted,
    losses: converted.notes ?? [],
  };
}

/**
 * Parses a Markdown file with front matter. By default, the type is `page`, and the path is derived from
 * the file's location in the folder. The default title is the heading at the start or, in a folder of
 * another site generator, the file's name.
 */
export function parseMarkdownFile(
  source: MarkdownFileContent,
  { pathOf, wholeSite = null, media, outline: knownOutline, ...options }: Options,
): ParsedItem {
  const { file, values, faults, body, lineOf, linesBefore, adapted } = source;
  const placeOf = (where: string) =>
    lineAndKey(values, where, { lineOf, bodyLine: linesBefore + 1 });
  const noItem = { file, input: null, hasStatus: false, isNotPublic: false, placeOf };
  const skipped = adapted?.skipped ?? findListAddressConflict(source, options.types);
  if (faults.length > 0 || skipped !== null) {
    const problems = faults.map((fault) => ({ ...fault, field: "", severity: "error" as const }));
    return { ...noItem, problems, skipped, leftOut: [], redirects: adapted?.redirects ?? [] };
  }
  const outline = knownOutline ?? parseMarkdownOutline(bodyForOutline(source));
  const context = { file, pathOf, media, wholeSite };
  const linked = rewriteRelativeLinks(body, outline.links, context);
  const links = replaceBareFileAddresses(linked, adapted?.addressesOfFiles ?? new Set(), context);
  const text = removeTitleHeading(values, links.body, outline);
  const portrait = resolvePortraitAddress(source, options.types, media);
  const { body: _refused, ...others } = portrait.values;
  const name = adapted === null ? undefined : titleOfFile(file);
  const parsed = parseItem(
    {
      ...others,
      ...readTypeAliasesAndPostDates(source, options.types),
      title: values["title"] ?? text.title ?? name,
      body: trimBody(text.body),
    },
    { ...options, isPost: source.adapted?.post != null },
  );
  const problems: ImportProblem[] = parsed.problems.map(({ where, ...problem }) => ({
    ...problem,
    ...placeOf(where),
  }));
  for (const { field, message } of portrait.missing) {
    problems.push({ ...placeOf(field), message, severity: "warning" });
  }
  problems.push(...conversionWarnings(source));
  if ("body" in values) {
    const message = {
      en: "the text after the front matter is the body",
      de: "der Text steht nach den Angaben am Anfang, nicht darin",
    };
    problems.push({ ...placeOf("body"), line: lineOf(["body"]), message, severity: "error" });
  }
  for (const broken of warnAboutBrokenLinks(links.broken, source)) problems.push(broken);
  const input =
    "body" in values || parsed.input === null
      ? null
      : addStatedOrDefaultPath(parsed.input, source, options.types);
  if (input !== null) problems.push(...reservedPathWarnings(input, source, placeOf("path")));
  const names = findUnsupportedAliasKeys(source, options.types);
  const pictures = missingPicturesIn(source, parsed.leftOut);
  problems.push(
    ...pictures.map((each) => importWarning(placeOf(each.key), missingPictureWarning(each))),
  );
  const isPicture = (name: string) => pictures.some(({ key }) => key === name);
  const keys = parsed.leftOut.filter((name) => !isPicture(name));
  const leftOut = [...keys, ...(adapted?.leftOut ?? []), ...names];
  return { ...parsed, file, input, problems, skipped, leftOut, placeOf };
}

function missingPicturesIn({ adapted }: MarkdownFileContent, leftOut: readonly string[]) {
  return (adapted?.missingPictures ?? []).filter(({ key }) => leftOut.includes(key));
}

/**
 * The item that the front matter of a Markdown file describes, with its site path. Without a title in the
 * front matter, the title is taken from the text or the file's name.
 */
export function parseMarkdownItemInput(
  source: MarkdownFileContent,
  { types, now, timeZone }: Pick<ParseOptions, "types" | "now" | "timeZone">,
): { input: InputWithPath; isNotPublic: boolean } | undefined {
  const { values, adapted } = source;
  if (adapted?.skipped != null) return undefined;
  const raw = {
    ...values,
    ...readTypeAliasesAndPostDates(source, types),
    title: likelyTitle(source),
  };
  const { input, isNotPublic } = parseItem(raw, {
    ...{ types, now, timeZone, isPost: source.adapted?.post != null },
    unknown: adapted === null ? "leave_out" : "count",
  });
  return input === null
    ? undefined
    : { input: addStatedOrDefaultPath(input, source, types), isNotPublic };
}

/** The title in the front matter, or else the heading at the start, or else the file's name. */
function likelyTitle({ values, body, file }: MarkdownFileContent): string {
  const { title } = values;
  if (typeof title === "string" && title.trim() !== "") return title.slice(0, TITLE_CHARACTERS_MAX);
  const [, heading = ""] = /^\s*#[ \t]+([^\n]{1,300})/.exec(body.slice(0, HEAD_CHARACTERS)) ?? [];
  return heading.replace(/[ \t]+#*[ \t]*$/, "") || titleOfFile(file) || file;
}

const HEAD_CHARACTERS = 1000;

/** The body whose outline the import needs; empty if the body is too long or the file is not imported. */
export function bodyForOutline({ body, faults, adapted }: MarkdownFileContent): string {
  const isLeftOut = faults.length > 0 || adapted?.skipped != null;
  return isLeftOut || Buffer.byteLength(body) > BODY_BYTES_MAX ? "" : body;
}

/**
 * Finds the line and key in the file for a path such as `fields.year`. The author may have written the key as
 * `year`.
 */
function lineAndKey(
  values: Readonly<Record<string, unknown>>,
  where: string,
  { lineOf, bodyLine }: { lineOf: (path: readonly string[]) => number; bodyLine: number },
): { line: number; field: string } {
  const parts = where.split(/[.[\]]+/).filter((part) => part !== "");
  const [first = "", second = ""] = parts;
  if (first === "body" || (first === "title" && !("title" in values))) {
    return { line: first === "body" ? bodyLine : 1, field: where };
  }
  const isAtTop = (first === "fields" || first === "relations") && second in values;
  const field = isAtTop ? where.slice(first.length + 1) : where;
  return { line: lineOf(isAtTop ? parts.slice(1) : parts), field };
}
