import { countLineBreaks } from "../../lines.ts";
import { type InsertableValues, resolveLiquidConditions } from "./liquid-conditions.ts";
import { renderPictureTag } from "./liquid-pictures.ts";
import {
  getOwnProperty,
  replaceTags,
  TAG_ARGUMENTS_CHARACTERS_MAX,
  type TagReplacement,
  type UntaggedText,
} from "./replacing.ts";
import { parseTagArguments } from "./tag-arguments.ts";

/** Tags and outputs of Liquid: `{% include note.html %}`, `{{ site.url }}`. */
const LIQUID_TAG = new RegExp(
  `\\{%-?\\s{0,20}(\\w{1,50})((?:[^%]|(?<!\\{)%(?!\\})){0,${TAG_ARGUMENTS_CHARACTERS_MAX}})%\\}|\\{\\{([^{}]{0,${TAG_ARGUMENTS_CHARACTERS_MAX}})\\}\\}`,
  "g",
);

/** A comment in Nunjucks, Eleventy's other template language: `{# a note #}`. */
const TEMPLATE_COMMENT = /\{#-?\s(?:(?!\{#)[\s\S]){0,5000}?#\}/g;

/** Replaces the tags of Liquid, the template language of Jekyll and Eleventy. */
export function replaceLiquidTags(text: string, insertable: InsertableValues): UntaggedText {
  let isRaw = false;
  const prose = outsideRaw(withoutComments(text), (part) =>
    resolveLiquidConditions(withoutLoops(part), insertable)
      .replaceAll(TEMPLATE_COMMENT, (comment) => "\n".repeat(countLineBreaks(comment)))
      .replaceAll(MACRO_BLOCK, (macro) => "\n".repeat(countLineBreaks(macro))),
  );
  return replaceTags(prose, LIQUID_TAG, (whole, [name = "", given = "", value]) => {
    if (isRaw && name !== "endraw") return whole;
    if (name === "raw" || name === "endraw") {
      isRaw = name === "raw";
      return "";
    }
    if (value !== undefined) return outputOf(value.replaceAll(/^[-\s]+|[-\s]+$/g, ""), insertable);
    const rest = given.trim().replace(/-$/, "").trim();
    const known = getOwnProperty(LIQUID_TAGS, name)?.(rest) ?? renderPictureTag(rest, insertable);
    const shown = known ?? includedText(name, rest, insertable);
    return shown ?? (name.startsWith("end") || PARTS_OF_PAIRS.has(name) ? "" : null);
  });
}

/** The addresses of the files that the tags `post_url` and `link` name. */
export function findFileAddressesInLiquidTags(text: string): string[] {
  return [...text.matchAll(LIQUID_TAG)].flatMap(([, name = "", given = ""]) =>
    /^(?:post_url|link)$/.test(name)
      ? [LIQUID_TAGS[name]?.(given.trim().replace(/-$/, "").trim()) ?? []].flat()
      : [],
  );
}

/** Removes comments, because tags in comments must not be reported. Keeps the line breaks of comments. */
function withoutComments(text: string): string {
  let isComment = false;
  let hiddenFrom = 0;
  let kept = "";
  for (const { 0: tag, 1: name, index } of text.matchAll(LIQUID_TAG)) {
    if (!isComment && name === "comment") {
      kept += text.slice(hiddenFrom, index);
      isComment = true;
      hiddenFrom = index;
    } else if (isComment && name === "endcomment") {
      const end = index + tag.length;
      kept += "\n".repeat(countLineBreaks(text.slice(hiddenFrom, end)));
      hiddenFrom = end;
      isComment = false;
    }
  }
  return kept + text.slice(hiddenFrom);
}

const RAW_BLOCK = /(\{%-?\s{0,20}raw\s{0,20}-?%\}[\s\S]*?(?:\{%-?\s{0,20}endraw\s{0,20}-?%\}|$))/;

/** Changes the parts of a text outside `raw` tags, whose content is shown literally. */
function outsideRaw(text: string, change: (part: string) => string): string {
  return text
    .split(RAW_BLOCK)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join("");
}

/** Matches a loop. The content of loops is removed, because the data to repeat is not available here. */
const LOOP_BLOCK =
  /\{%-?\s{0,20}for\s(?:(?!\{%-?\s{0,20}(?:for\s|endfor))[\s\S]){0,20000}?\{%-?\s{0,20}endfor\s{0,20}-?%\}/g;

/** Matches the definition of a macro in Nunjucks. A definition shows nothing itself. */
const MACRO_BLOCK =
  /\{%-?\s{0,20}macro\s(?:(?!\{%-?\s{0,20}(?:macro\s|endmacro))[\s\S]){0,20000}?\{%-?\s{0,20}endmacro\s{0,20}-?%\}/g;

/** Reduces each loop to its opening tag and its line breaks, innermost first. */
function withoutLoops(text: string): string {
  let rest = text;
  for (let depth = 0; depth < 5; depth += 1) {
    const shorter = rest.replaceAll(
      LOOP_BLOCK,
      (loop) =>
        `${/^\{%[^}]*%\}/.exec(loop)?.[0].replace(/\bfor\b/, "loop") ?? ""}${"\n".repeat(countLineBreaks(loop))}`,
    );
    if (shorter === rest) break;
    rest = shorter;
  }
  return rest;
}

/**
 * Tags that divide the content of a pair of tags, such as `else` between `if` and `endif`. They show nothing.
 * Only the opening tag of the pair is reported.
 */
const PARTS_OF_PAIRS: ReadonlySet<string> = new Set(["else", "elsif", "elseif", "when"]);

const showNothing = (): TagReplacement => "";

const LIQUID_TAGS: Readonly<Record<string, (given: string) => TagReplacement>> = {
  post_url: (post) => `/_posts/${post}.md`,
  link: (file) => `/${file}`,
  highlight: (language) => `\`\`\`${language.split(" ")[0] ?? ""}`,
  endhighlight: () => "```",
  tabs: showNothing,
  tab: labelOfTab,
  assign: showNothing,
  set: showNothing,
  block: showNothing,
  extends: showNothing,
  from: showNothing,
  import: showNothing,
};

/** The label of a tab, from arguments such as `'Scala 2' for=group` or `group php`, as bold text. */
function labelOfTab(given: string): TagReplacement {
  const words = given.split(/\s+/).filter((word) => !word.includes("="));
  const label = /["']([^"']{1,200})["']/.exec(given)?.[1] ?? words.at(-1) ?? "";
  return label === "" ? "" : `**${label}**`;
}

/** Markup that cannot be put on one line, or is not for readers. */
const NOT_IN_A_LINE = /^---|<(?:pre|script|style|textarea)\b|^ {0,3}(?:```|~~~|[-*+#>] )/im;

/**
 * The text that an `include` tag inserts, on one line so that later lines keep their numbers. Null: the text
 * is missing, does not fit on one line, or has unknown tags.
 */
function includedText(name: string, given: string, insertable: InsertableValues): TagReplacement {
  // An unquoted value names a variable, whose value is unknown here.
  if (!/^include(?:_cached)?$/.test(name) || /=(?!["'])/.test(given)) return null;
  const { named, positional } = parseTagArguments(given.replaceAll(/'([^'"]*)'/g, '"$1"'));
  const part = insertable.partNamed(positional[0] ?? "");
  if (part === null || NOT_IN_A_LINE.test(part)) return null;
  const { body, unknown } = replaceLiquidTags(part, {
    ...insertable,
    include: named,
    partNamed: () => null,
  });
  return unknown.length > 0 ? null : body.trim().replaceAll(/\s*\n\s*/g, " ");
}

/**
 * The text that an output such as `page.title` shows; null if the text is unknown. Addresses of the
 * site become root-relative.
 */
function outputOf(value: string, { page, site, include }: InsertableValues): TagReplacement {
  if (/^site\.(?:url|baseurl)$/.test(value)) return "";
  const quoted = /^(?:'([^']*)'|"([^"]*)")\s*\|\s*(?:relative_url|absolute_url|url)$/.exec(value);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? null;
  const [, scope, key = ""] = /^(?:(page|site|include)\.)?(\w+)$/.exec(value) ?? [];
  const values = { page, site, include }[scope ?? "page"] ?? page;
  const raw = Object.hasOwn(values, key) ? values[key] : undefined;
  return typeof raw === "string" || typeof raw === "number" ? String(raw) : null;
}
