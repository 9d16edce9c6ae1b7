import type { Wording } from "../../../errors.ts";
import { parseHtmlTree } from "../../pasting/html-conversion.ts";
import {
  convertHtmlToMarkdown,
  type HtmlMetadata,
  isNestedTooDeeply,
  readHtmlMetadata,
} from "./html-page.ts";
import {
  type PagePartsAndTitle,
  pagePartsAndTitleOf,
  type RepeatedParts,
} from "./repeated-parts.ts";

/**
 * Pages with more elements than this are refused, because a task would exceed the time limit of its thread.
 */
const ELEMENTS_MAX = 120_000;

/**
 * A task for an HTML file: to read its metadata, to convert its text to Markdown, or to compute its {@link
 * PagePartsAndTitle}. May take a long time for a large page.
 */
export type HtmlTask =
  | { output: "metadata" | "markdown"; html: string; repeated: RepeatedParts }
  | { output: "profile"; html: string };

export interface HtmlTaskResult {
  metadata: HtmlMetadata;
  /** Null if Markdown was not requested or the page cannot be converted. */
  markdown: string | null;
  /** Why the page cannot be converted. */
  fault?: Wording;
  /** Messages about what was left out. */
  notes?: readonly Wording[];
  /** The parts that may repeat on other pages, if they were requested. */
  profile?: PagePartsAndTitle;
}

export function runHtmlTask(task: HtmlTask): HtmlTaskResult {
  if (hasTooManyElements(task.html)) return { metadata: {}, markdown: null, fault: TOO_MANY };
  try {
    return replyTo(task);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { metadata: {}, markdown: null, fault: TOO_MANY_CHILDREN };
  }
}

function hasTooManyElements(html: string): boolean {
  const start = /<[a-z]/gi;
  let count = 0;
  while (count <= ELEMENTS_MAX && start.test(html)) count += 1;
  return count > ELEMENTS_MAX;
}

const TOO_MANY: Wording = {
  en: `The page has more than ${ELEMENTS_MAX.toLocaleString("en")} elements; split it`,
  de: `Die Seite hat mehr als ${ELEMENTS_MAX.toLocaleString("de")} Elemente: Teilen Sie sie auf`,
};

const TOO_MANY_CHILDREN: Wording = {
  en: "Too many elements are side by side in one; split the page",
  de: "Zu viele Elemente stehen nebeneinander in einem: Teilen Sie die Seite auf",
};

function replyTo(task: HtmlTask): HtmlTaskResult {
  const { html } = task;
  if (task.output === "profile") {
    const profile = isNestedTooDeeply(html)
      ? undefined
      : pagePartsAndTitleOf(parseHtmlTree(html, { fragment: false }));
    return { metadata: {}, markdown: null, ...(profile === undefined ? {} : { profile }) };
  }
  const { repeated } = task;
  if (task.output === "metadata") {
    return { metadata: readHtmlMetadata(html, repeated), markdown: null };
  }
  return { metadata: {}, markdown: null, ...convertHtmlToMarkdown(html, repeated) };
}
