/** A template tag that the import cannot interpret. */
export interface UnknownTag {
  tag: string;
  /** Line in the text, from 1. */
  line: number;
}

export interface Untagged {
  body: string;
  unknown: readonly UnknownTag[];
}

/** The replacement of a tag; null: unknown. */
type Replacement = string | null;

const ARGUMENTS_CHARACTERS_MAX = 1000;

/**
 * Hugo's shortcodes: `{{< figure src="a.png" >}}`, `{{% note %}}`, `{{< /note >}}`. A tag within
 * comment marks is shown literally.
 */
const SHORTCODE = new RegExp(
  `\\{\\{([<%])\\s{0,20}(/\\*|/)?\\s{0,20}([\\w./-]{1,100})([^{}]{0,${ARGUMENTS_CHARACTERS_MAX}})\\}\\}`,
  "g",
);

/**
 * Replaces Hugo's shortcodes. For an unknown pair, the text between is kept, after the texts of its
 * arguments; an unknown single tag is left out and reported.
 */
export function withoutShortcodes(text: string): Untagged {
  const closed = new Set(
    [...text.matchAll(SHORTCODE)].flatMap(([, , slash, name]) => (slash === "/" ? [name] : [])),
  );
  return replaced(text, SHORTCODE, (whole, [, slash, name = "", rest = ""]) => {
    if (slash === "/*") return whole.replace("/*", "").replace("*/", "");
    if (slash === "/") return name === "highlight" ? "```" : "";
    const given = argumentsOf(rest.replace(/[>%]$/, ""));
    const known = ownOf(SHORTCODES, name)?.(given);
    return known ?? shownIn(given) ?? (closed.has(name) ? labelOf(given) : null);
  });
}

/** Looks up own properties only, not `constructor` and the like. */
function ownOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

interface Arguments {
  named: Readonly<Record<string, string>>;
  /** Positional arguments. */
  plain: readonly string[];
}

const SHORTCODES: Readonly<Record<string, (given: Arguments) => Replacement>> = {
  figure({ named: { src = "", alt, caption, title, link } }) {
    const text = alt ?? caption ?? title ?? "";
    const picture = `![${text}](${src}${caption === undefined ? "" : ` "${caption}"`})`;
    return link === undefined ? picture : `[${picture}](${link})`;
  },
  ref: ({ plain: [file = ""] }) => file,
  relref: ({ plain: [file = ""] }) => file,
  highlight: ({ plain: [language = ""] }) => `\`\`\`${language}`,
  youtube: ({ named, plain }) => video("https://www.youtube.com/watch?v=", named["id"] ?? plain[0]),
  vimeo: ({ named, plain }) => video("https://vimeo.com/", named["id"] ?? plain[0]),
  gist: ({ plain: [owner = "", id = ""] }) => `<https://gist.github.com/${owner}/${id}>`,
};

function video(site: string, id: string | undefined): Replacement {
  return id === undefined ? null : `[${site}${id}](${site}${id})`;
}

const SOURCE_ARGUMENTS = ["src", "image_path", "image", "path", "file", "url"] as const;
const PICTURE = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

/** The picture or external page that a theme's tag refers to, as Markdown; null: neither. */
function shownIn({ named, plain }: Arguments): Replacement {
  const { alt, caption, title } = named;
  const text = alt ?? caption ?? title ?? "";
  const raw = [...SOURCE_ARGUMENTS.flatMap((name) => named[name] ?? []), ...plain];
  const picture = raw.find((source) => PICTURE.test(source));
  if (picture !== undefined) return `![${text}](${picture})`;
  const frame = /^https?:\/\/\S+$/.test(named["src"] ?? "") ? named["src"] : undefined;
  return frame === undefined ? null : `[${text || frame}](${frame})`;
}

/** Arguments that most themes show to readers. */
const LABEL_ARGUMENTS = [
  "title",
  "name",
  "term",
  "abbr",
  "caption",
  "label",
  "text",
  "summary",
] as const;

function labelOf({ named }: Arguments): string {
  const texts = LABEL_ARGUMENTS.flatMap((name) => named[name] ?? []);
  return texts.length === 0 ? "" : `**${texts.join(", ")}** `;
}

function argumentsOf(text: string): Arguments {
  const named: Record<string, string> = {};
  const plain: string[] = [];
  for (const [, name, quoted, raw, bare] of text.matchAll(
    /(?:([\w-]+)=)?(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+))/g,
  )) {
    const value = quoted ?? raw ?? bare ?? "";
    if (name === undefined) plain.push(value);
    else named[name] = value;
  }
  return { named, plain };
}

/** Tags and outputs of Liquid: `{% include note.html %}`, `{{ site.url }}`. */
const LIQUID = new RegExp(
  `\\{%-?\\s{0,20}(\\w{1,50})([^%]{0,${ARGUMENTS_CHARACTERS_MAX}})%\\}|\\{\\{([^{}]{0,${ARGUMENTS_CHARACTERS_MAX}})\\}\\}`,
  "g",
);

/** Values that texts may insert from their front matter and the site's settings. */
interface Shown {
  page: Readonly<Record<string, unknown>>;
  site: Readonly<Record<string, string>>;
}

/** A comment in Nunjucks, Eleventy's other template language: `{# a note #}`. */
const TEMPLATE_COMMENT = /\{#-?\s(?:(?!\{#)[\s\S]){0,5000}?#\}/g;

/** Replaces the tags of Liquid, the template language of Jekyll and Eleventy. */
export function withoutLiquid(text: string, shown: Shown): Untagged {
  let isRaw = false;
  const rest = outsideRaw(withoutComments(text), (part) =>
    withoutLoops(part).replaceAll(TEMPLATE_COMMENT, (comment) => "\n".repeat(lineCount(comment))),
  );
  return replaced(rest, LIQUID, (whole, [name = "", given = "", value]) => {
    if (isRaw && name !== "endraw") return whole;
    if (name === "raw" || name === "endraw") {
      isRaw = name === "raw";
      return "";
    }
    if (value !== undefined) return outputOf(value.replaceAll(/^[-\s]+|[-\s]+$/g, ""), shown);
    const rest = given.trim().replace(/-$/, "").trim();
    const known = ownOf(LIQUID_TAGS, name)?.(rest) ?? shownIn(argumentsOf(rest));
    return known ?? (name.startsWith("end") || PARTS_OF_PAIRS.has(name) ? "" : null);
  });
}

/** Removes comments but keeps their line breaks, so that tags in them are not reported. */
function withoutComments(text: string): string {
  let isComment = false;
  let hiddenFrom = 0;
  let kept = "";
  for (const { 0: tag, 1: name, index } of text.matchAll(LIQUID)) {
    if (!isComment && name === "comment") {
      kept += text.slice(hiddenFrom, index);
      isComment = true;
      hiddenFrom = index;
    } else if (isComment && name === "endcomment") {
      const end = index + tag.length;
      kept += "\n".repeat(lineCount(text.slice(hiddenFrom, end)));
      hiddenFrom = end;
      isComment = false;
    }
  }
  return kept + text.slice(hiddenFrom);
}

const RAW = /(\{%-?\s{0,20}raw\s{0,20}-?%\}[\s\S]*?(?:\{%-?\s{0,20}endraw\s{0,20}-?%\}|$))/;

/** Changes the parts of a text outside `raw` tags, whose content is shown literally. */
function outsideRaw(text: string, changed: (part: string) => string): string {
  return text
    .split(RAW)
    .map((part, at) => (at % 2 === 0 ? changed(part) : part))
    .join("");
}

/** Loops have no data here, so they are removed with their content. */
const LOOP =
  /\{%-?\s{0,20}for\s(?:(?!\{%-?\s{0,20}(?:for\s|endfor))[\s\S]){0,20000}?\{%-?\s{0,20}endfor\s{0,20}-?%\}/g;

/** Reduces loops to their opening tag, innermost first. */
function withoutLoops(text: string): string {
  let rest = text;
  for (let depth = 0; depth < 5; depth += 1) {
    const less = rest.replaceAll(
      LOOP,
      (loop) =>
        `${/^\{%[^}]*%\}/.exec(loop)?.[0].replace(/\bfor\b/, "loop") ?? ""}${"\n".repeat(lineCount(loop))}`,
    );
    if (less === rest) break;
    rest = less;
  }
  return rest;
}

/**
 * Tags within a pair, which show nothing themselves; only the opening tag of a pair is reported.
 */
const PARTS_OF_PAIRS: ReadonlySet<string> = new Set(["else", "elsif", "elseif", "when"]);

const silent = (): Replacement => "";

const LIQUID_TAGS: Readonly<Record<string, (given: string) => Replacement>> = {
  post_url: (post) => `/_posts/${post}.md`,
  link: (file) => `/${file}`,
  highlight: (language) => `\`\`\`${language.split(" ")[0] ?? ""}`,
  endhighlight: () => "```",
  assign: silent,
};

/**
 * What an output such as `page.title` shows; null: unknown. Addresses of the site become
 * root-relative.
 */
function outputOf(value: string, { page, site }: Shown): Replacement {
  if (/^site\.(?:url|baseurl)$/.test(value)) return "";
  const quoted = /^(?:'([^']*)'|"([^"]*)")\s*\|\s*(?:relative_url|absolute_url|url)$/.exec(value);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? null;
  const [, of, key = ""] = /^(page|site)\.(\w+)$/.exec(value) ?? [];
  const own = of === "site" ? site : page;
  const raw = of !== undefined && Object.hasOwn(own, key) ? own[key] : undefined;
  return typeof raw === "string" || typeof raw === "number" ? String(raw) : null;
}

/** Zola's shortcodes: `{{ youtube(id="x") }}`, `{% quote(author="A") %}`, `{% end %}`. */
const ZOLA = new RegExp(
  `\\{\\{\\s{0,20}(\\w{1,50})\\(([^\\n]{0,${ARGUMENTS_CHARACTERS_MAX}}?)\\)\\s{0,20}\\}\\}|\\{%\\s{0,20}(end|\\w{1,50}\\(([^\\n]{0,${ARGUMENTS_CHARACTERS_MAX}}?)\\))\\s{0,20}%\\}`,
  "g",
);

/** Replaces Zola's shortcodes, and `@/` in links by its content folder. */
export function withoutZolaTags(text: string): Untagged {
  const linked = text.replaceAll(/(\]\(|\]:\s{0,20})@\//g, "$1/content/");
  return replaced(linked, ZOLA, (_whole, [single, given = "", pair, label = ""]) => {
    if (pair === "end") return "";
    const named = argumentsOf(given.replaceAll(/\s*,\s*/g, " "));
    if (single !== undefined) return ownOf(SHORTCODES, single)?.(named) ?? null;
    return labelOf(argumentsOf(label.replaceAll(/\s*,\s*/g, " ")));
  });
}

function replaced(
  text: string,
  tags: RegExp,
  replacementOf: (whole: string, groups: readonly (string | undefined)[]) => Replacement,
): Untagged {
  const unknown: UnknownTag[] = [];
  let body = "";
  let done = 0;
  let line = 1;
  for (const match of text.matchAll(tags)) {
    const [whole, ...groups] = match;
    const before = text.slice(done, match.index);
    line += lineCount(before);
    const replacement = replacementOf(whole, groups);
    if (replacement === null) unknown.push({ tag: whole, line });
    body += before + (replacement ?? "");
    done = match.index + whole.length;
    line += lineCount(whole);
  }
  return { body: body + text.slice(done), unknown };
}

function lineCount(text: string): number {
  return text.split("\n").length - 1;
}
