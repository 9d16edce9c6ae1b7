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
 * `{{< figure src="a.png" >}}`, `{{% note %}}`, `{{< /note >}}`. In a comment, a tag is shown
 * literally.
 */
const SHORTCODE = new RegExp(
  `\\{\\{([<%])\\s{0,20}(/\\*|/)?\\s{0,20}([\\w./-]{1,100})([^}\\n]{0,${ARGUMENTS_CHARACTERS_MAX}})\\}\\}`,
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
    return SHORTCODES[name]?.(given) ?? (closed.has(name) ? labelOf(given) : null);
  });
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

/** Arguments that most themes show to readers. */
const LABELS = ["title", "name", "term", "abbr", "caption", "label", "text", "summary"] as const;

function labelOf({ named }: Arguments): string {
  const texts = LABELS.flatMap((name) => named[name] ?? []);
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

/** `{% include note.html %}`, `{{ site.url }}`. */
const LIQUID = new RegExp(
  `\\{%-?\\s{0,20}(\\w{1,50})([^%\\n]{0,${ARGUMENTS_CHARACTERS_MAX}})%\\}|\\{\\{([^}\\n]{0,${ARGUMENTS_CHARACTERS_MAX}})\\}\\}`,
  "g",
);

/** Replaces the tags of Liquid, the template language of Jekyll and Eleventy. */
export function withoutLiquid(text: string, page: Readonly<Record<string, unknown>>): Untagged {
  let verbatim: "raw" | "comment" | null = null;
  let hiddenFrom = 0;
  let kept = "";
  // Comments go first, with their lines kept, so that tags in them are not reported.
  for (const { 0: tag, 1: name, index } of text.matchAll(LIQUID)) {
    if (verbatim === null && name === "comment") {
      kept += text.slice(hiddenFrom, index);
      verbatim = "comment";
      hiddenFrom = index;
    } else if (verbatim === "comment" && name === "endcomment") {
      const end = index + tag.length;
      kept += "\n".repeat(lineCount(text.slice(hiddenFrom, end)));
      hiddenFrom = end;
      verbatim = null;
    }
  }
  const rest = kept + text.slice(hiddenFrom);
  return replaced(rest, LIQUID, (whole, [name, given = "", value]) => {
    if (verbatim === "raw" && name !== "endraw") return whole;
    if (name === "raw" || name === "endraw") {
      verbatim = name === "raw" ? "raw" : null;
      return "";
    }
    if (value !== undefined) return outputOf(value.trim(), page);
    return LIQUID_TAGS[name ?? ""]?.(given.trim().replace(/-$/, "").trim()) ?? null;
  });
}

const LIQUID_TAGS: Readonly<Record<string, (given: string) => Replacement>> = {
  post_url: (post) => `/_posts/${post}.md`,
  link: (file) => `/${file}`,
  highlight: (language) => `\`\`\`${language.split(" ")[0] ?? ""}`,
  endhighlight: () => "```",
};

/** Addresses of the site itself become root-relative. */
function outputOf(value: string, page: Readonly<Record<string, unknown>>): Replacement {
  if (/^site\.(?:url|baseurl)$/.test(value)) return "";
  const quoted = /^(?:'([^']*)'|"([^"]*)")\s*\|\s*(?:relative_url|absolute_url|url)$/.exec(value);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? null;
  const own = /^page\.(\w+)$/.exec(value)?.[1];
  const stated = own === undefined ? undefined : page[own];
  return typeof stated === "string" || typeof stated === "number" ? String(stated) : null;
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
