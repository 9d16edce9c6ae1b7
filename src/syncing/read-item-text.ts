import type { DraftedItemParts } from "../content/drafts/draft.ts";
import { candidateFilesOfRelativeLink } from "../content/import/file-path.ts";
import type { ParseOptions } from "../content/import/item-parsing.ts";
import {
  bodyForOutline,
  parseMarkdownFile,
  readMarkdown,
} from "../content/import/markdown-file.ts";
import type { MarkdownOutline } from "../content/import/markdown-outline.ts";
import type {
  ImportProblem,
  ParsedItem,
  UndeclaredKeyPolicy,
} from "../content/import/parsed-item.ts";
import type { MarkdownFileContent } from "../content/import/parsing/markdown-file-content.ts";
import { findPortraitLink } from "../content/import/parsing/portrait-file.ts";
import type { ItemInput } from "../content/items/item.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { Wording } from "../errors.ts";
import { parseOutlineWithinLimits } from "../importing/outline.ts";
import { type FilePublisher, publishLinkedFiles } from "../importing/publish-files.ts";
import { normalizeFormerAddresses } from "./former-addresses.ts";

/** An item as read from a file. */
export interface ParsedItemFile {
  input: ItemInput & { path: string };
  /** The parts of the item. Targets of relations are paths; the status is missing if the file states none. */
  parts: DraftedItemParts;
}

export type ParsedItemFileOrProblems = ParsedItemFile | { problems: readonly ImportProblem[] };

export interface ItemTextOptions {
  types: ContentTypes;
  now: Date;
  timeZone: string;
  /** How to treat undeclared keys. Absent: undeclared keys are refused. */
  unknown?: UndeclaredKeyPolicy;
}

export interface ItemFileOptions extends ItemTextOptions {
  /** The folder that file names are relative to. */
  root: string;
  publisher: FilePublisher;
  /** The site path of another file. */
  pathOf: (file: string) => string | undefined;
}

/** Parses the text of an item without resolving its links. */
export async function parseItemText(
  text: string,
  file: string,
  options: ItemTextOptions,
): Promise<ParsedItemFileOrProblems> {
  const markdown = readMarkdown({ file, text }, null);
  if (statesTitle(markdown)) return parseItem(markdown, options, { links: [], heading: null });
  const outlineResult = await parseOutlineWithinLimits(bodyForOutline(markdown));
  if ("refusal" in outlineResult) return refused(markdown, outlineResult.refusal);
  return parseItem(markdown, options, { links: [], heading: outlineResult.outline.heading });
}

/**
 * Parses a file that a person wrote. Links to other files become addresses. Publishes the pictures that
 * the file names.
 */
export async function parseAndPublishItemFile(
  text: string,
  file: string,
  { root, publisher, pathOf, ...options }: ItemFileOptions,
): Promise<ParsedItemFileOrProblems> {
  const markdown = readMarkdown({ file, text }, null);
  const outlineResult = await parseOutlineWithinLimits(bodyForOutline(markdown));
  if ("refusal" in outlineResult) return refused(markdown, outlineResult.refusal);
  const { outline } = outlineResult;
  const media = await publishLinkedFiles(
    { links: outline.links, portrait: findPortraitLink(markdown, options.types) },
    { file, root },
    publisher,
  );
  // A link that does not lead to a file stays unchanged, because texts from the site may contain such
  // links.
  const leadsToFile = (url: string) =>
    media.has(url) ||
    (candidateFilesOfRelativeLink(url, file) ?? []).some((name) => pathOf(name) !== undefined);
  const links = outline.links.filter(({ url }) => leadsToFile(url));
  return parseItem(
    markdown,
    { ...options, media, pathOf },
    { links, heading: statesTitle(markdown) ? null : outline.heading },
  );
}

/** Whether the front matter states the title. If so, a heading at the start of the text stays there. */
function statesTitle({ values }: MarkdownFileContent): boolean {
  return "title" in values;
}

function refused({ linesBefore }: MarkdownFileContent, message: Wording): ParsedItemFileOrProblems {
  return { problems: [{ line: linesBefore + 1, field: "body", message, severity: "error" }] };
}

type MarkdownOptions = Partial<Omit<Parameters<typeof parseMarkdownFile>[1], keyof ParseOptions>>;

function parseItem(
  markdown: MarkdownFileContent,
  {
    types,
    now,
    timeZone,
    unknown = "refuse",
    ...markdownOptions
  }: ItemTextOptions & MarkdownOptions,
  outline: MarkdownOutline,
): ParsedItemFileOrProblems {
  const { input, problems, hasStatus } = parseMarkdownFile(markdown, {
    ...{ types, now, timeZone, outline, unknown },
    pathOf: () => undefined,
    ...markdownOptions,
  });
  const faults = problems.filter(({ severity }) => severity === "error");
  const bodyProblems = problems.filter(({ field }) => field === "body");
  if (input?.path === undefined) return { problems: faults };
  if (bodyProblems.length > 0) return { problems: bodyProblems };
  const itemInput = { ...input, path: input.path };
  return { input: itemInput, parts: partsOf(itemInput, hasStatus) };
}

type Input = NonNullable<ParsedItem["input"]>;

function partsOf(
  { fields, relations, status, redirectFrom, ...plain }: Input,
  hasStatus: boolean,
): DraftedItemParts {
  return {
    ...plain,
    ...(redirectFrom === undefined ? {} : { redirectFrom: normalizeFormerAddresses(redirectFrom) }),
    ...(hasStatus ? { status } : {}),
    ...prefixed("fields", fields),
    ...prefixed("relations", Object.fromEntries(Object.entries(relations).map(plainLinks))),
  };
}

function plainLinks([name, links]: [string, Input["relations"][string]]): [string, unknown[]] {
  const plain = links.map((link) => {
    if (typeof link === "string") return link;
    const { to, note = null } = link;
    return note === null ? to : { to, note };
  });
  return [name, plain];
}

function prefixed(group: string, values: Readonly<Record<string, unknown>>): DraftedItemParts {
  const entries = Object.entries(values).map(([name, value]) => [`${group}.${name}`, value]);
  return Object.fromEntries(entries);
}
