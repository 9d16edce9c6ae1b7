import { countLineBreaks } from "../../lines.ts";

/** Values from the front matter and the site's settings that templates in texts can use. */
export interface InsertableValues {
  page: Readonly<Record<string, unknown>>;
  site: Readonly<Record<string, string>>;
  /** Parameters of the `include` tag that inserts the text; empty: the text is a page. */
  include: Readonly<Record<string, string>>;
  /** Whether the text is HTML rather than Markdown. */
  isHtml: boolean;
  /** The text of a partial template that pages can include; null: there is none. */
  partNamed: (name: string) => string | null;
}

/** Matches a condition that contains no other condition. */
const CONDITION_BLOCK =
  /\{%-?\s{0,20}(if|unless)\s([^%]{0,1000})%\}((?:(?!\{%-?\s{0,20}(?:if|unless|case|endif|endunless)\b)[\s\S]){0,20000}?)\{%-?\s{0,20}end\1\s{0,20}-?%\}/g;
const BRANCH = /\{%-?\s{0,20}(?:else|els(?:e)?if\s([^%]{0,1000}))\s{0,20}-?%\}/g;
const DEPTH_MAX = 5;

/**
 * Evaluates conditions on values of the page and the site, and keeps the branch that Liquid would show. A
 * condition that depends on other values is unchanged.
 */
export function resolveLiquidConditions(text: string, values: InsertableValues): string {
  let rest = text;
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    const decided = rest.replaceAll(CONDITION_BLOCK, (whole, kind, condition, content) =>
      decidedBranch(whole, { kind, condition, content }, values),
    );
    if (decided === rest) break;
    rest = decided;
  }
  return rest;
}

/**
 * Returns the branch that Liquid would show. The other branches are reduced to their line breaks. If a
 * condition cannot be evaluated, returns the whole block.
 */
function decidedBranch(
  whole: string,
  { kind, condition, content }: Record<"kind" | "condition" | "content", string>,
  values: InsertableValues,
): string {
  const isFirstShown = isMet(condition, values);
  let isShown = kind === "unless" && isFirstShown !== null ? !isFirstShown : isFirstShown;
  let start = 0;
  const end = { 0: "", 1: undefined, index: content.length };
  for (const { 0: tag, 1: next, index } of [...content.matchAll(BRANCH), end]) {
    if (isShown === null) return whole;
    if (isShown) {
      const branch = content.slice(start, index);
      const linesBefore = countLineBreaks(content.slice(0, start));
      const linesAfter = countLineBreaks(content.slice(index));
      return "\n".repeat(linesBefore) + branch + "\n".repeat(linesAfter);
    }
    start = index + tag.length;
    isShown = index === content.length ? false : next === undefined || isMet(next, values);
  }
  return "\n".repeat(countLineBreaks(whole));
}

const CONDITION =
  /^(?:(page|site|include)\.(\w+)|jekyll\.(environment))(?:\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)'|(true|false)))?$/;

/** Whether a condition is true; null: the known values do not determine it. */
function isMet(written: string, { page, site, include }: InsertableValues): boolean | null {
  const condition = written.replace(/-\s*$/, "").trim();
  if (condition === "true" || condition === "false") return condition === "true";
  const found = CONDITION.exec(condition);
  if (found === null) return null;
  const [, scope, key = "", environment, comparison, double, single, flag] = found;
  const known = { page, site, include }[String(scope)] ?? {};
  const isKnown = environment !== undefined || scope === "include" || Object.hasOwn(known, key);
  if (!isKnown) return null;
  const value = environment === undefined ? known[key] : "production";
  if (comparison === undefined) return value !== false && value !== null && value !== undefined;
  const expected = double ?? single ?? flag === "true";
  return (value === expected) === (comparison === "==");
}
