import {
  getOwnProperty,
  replaceTags,
  TAG_ARGUMENTS_CHARACTERS_MAX,
  type TagReplacement,
  type UntaggedText,
} from "./replacing.ts";
import {
  labelOfTag,
  parseTagArguments,
  renderPictureOrPageLink,
  type TagArguments,
  type TagContext,
  targetOfTag,
} from "./tag-arguments.ts";

/**
 * Hugo's shortcodes: `{{< figure src="a.png" >}}`, `{{% note %}}`, `{{< /note >}}`. A tag that is
 * commented out is shown literally.
 */
const SHORTCODE_TAG = new RegExp(
  `\\{\\{([<%])\\s{0,20}(/\\*|/)?\\s{0,20}([\\w./-]{1,100})([^{}]{0,${TAG_ARGUMENTS_CHARACTERS_MAX}})\\}\\}`,
  "g",
);

/** Matches a pair of tags within a line. The words between the tags can become the text of a link. */
const PAIR_IN_LINE = new RegExp(
  `\\{\\{[<%]\\s{0,20}([\\w./-]{1,100})\\s([^{}]{0,${TAG_ARGUMENTS_CHARACTERS_MAX}})[>%]\\}\\}([^{}\\[\\]\\n]{1,300})\\{\\{[<%]\\s{0,20}/\\s{0,20}\\1\\s{0,20}[>%]\\}\\}`,
  "g",
);

/**
 * Replaces Hugo's shortcodes. An unknown pair of tags becomes a link if it has a target. Otherwise, the
 * texts of its arguments and the text between the tags are kept. An unknown single tag is left out and
 * reported.
 */
export function replaceHugoShortcodes(written: string, page: TagContext): UntaggedText {
  const text = written.replaceAll(PAIR_IN_LINE, (whole, name, rest, label) => {
    const target =
      getOwnProperty(SHORTCODE_HANDLERS, name) === undefined
        ? targetOfTag(parseTagArguments(rest), page)
        : null;
    return target === null ? whole : `[${label.trim()}](${target.address})`;
  });
  const closed = new Set(
    [...text.matchAll(SHORTCODE_TAG)].flatMap(([, , slash, name]) => (slash === "/" ? [name] : [])),
  );
  const linked = new Set([...text.matchAll(LINK_WITHIN)].map(([, place = ""]) => place));
  return replaceTags(text, SHORTCODE_TAG, (whole, [, slash, name = "", rest = ""]) => {
    if (slash === "/*") return whole.replace("/*", "").replace("*/", "");
    if (slash === "/") return name === "highlight" ? "```" : "";
    const given = parseTagArguments(rest.replace(/[>%]$/, ""));
    const known =
      getOwnProperty(SHORTCODE_HANDLERS, name)?.(given) ??
      referenceOf(name, given, page) ??
      parameterOf(name, given, page);
    const isPair = closed.has(name);
    return (
      known ??
      renderPictureOrPageLink(given, isPair ? undefined : page) ??
      (isPair ? anchorFor(name, given, linked) + labelOfTag(given) : null)
    );
  });
}

/** Matches a link to an anchor in the same text. */
const LINK_WITHIN = /\]\(#([^()\s]{1,200})\)/g;

/**
 * The anchor for the `id` of a pair of tags. Some themes prefix the id with the tag's name. The prefix is
 * added only if a link in the same text uses it.
 */
function anchorFor(
  name: string,
  { named: { id = "" } }: TagArguments,
  linked: ReadonlySet<string>,
): string {
  if (!/^[\p{L}\p{N}_.:-]{1,100}$/u.test(id)) return "";
  const whole = linked.has(`${name}-${id}`) ? `${name}-${id}` : id;
  return `<a id="${whole}"></a>`;
}

const SHORTCODE_HANDLERS: Readonly<Record<string, (given: TagArguments) => TagReplacement>> = {
  figure({ named: { src = "", alt, caption, title, link } }) {
    const text = alt ?? caption ?? title ?? "";
    const picture = `![${text}](${src}${caption === undefined ? "" : ` "${caption}"`})`;
    return link === undefined ? picture : `[${picture}](${link})`;
  },
  highlight: ({ positional: [language = ""] }) => `\`\`\`${language}`,
  youtube: ({ named, positional }) =>
    video("https://www.youtube.com/watch?v=", named["id"] ?? positional[0]),
  vimeo: ({ named, positional }) => video("https://vimeo.com/", named["id"] ?? positional[0]),
  gist: ({ positional: [owner = "", id = ""] }) => `<https://gist.github.com/${owner}/${id}>`,
};

/** The address that replaces a tag such as `{{< ref "guide/start#first" >}}`; null for other tags. */
function referenceOf(
  name: string,
  { positional, named }: TagArguments,
  page: TagContext,
): TagReplacement {
  if (name !== "ref" && name !== "relref") return null;
  const reference = positional[0] ?? named["path"] ?? "";
  const [, place = "", fragment = ""] = /^([^#]*)(#.*)?$/s.exec(reference) ?? [];
  const file = place === "" ? undefined : page.fileNamed(place);
  return file === undefined ? reference : `/${encodeURI(file)}${fragment}`;
}

/**
 * The value that replaces a tag such as `{{< param email >}}`; null for other tags, or if the parameter has
 * no value.
 */
function parameterOf(name: string, { positional }: TagArguments, page: TagContext): TagReplacement {
  return name === "param" ? (page.parameterNamed(positional[0] ?? "") ?? null) : null;
}

function video(site: string, id: string | undefined): TagReplacement {
  return id === undefined ? null : `[${site}${id}](${site}${id})`;
}

/** Zola's shortcodes: `{{ youtube(id="x") }}`, `{% quote(author="A") %}`, `{% end %}`. */
const ZOLA_SHORTCODE = new RegExp(
  `\\{\\{\\s{0,20}(\\w{1,50})\\(([^\\n]{0,${TAG_ARGUMENTS_CHARACTERS_MAX}}?)\\)\\s{0,20}\\}\\}|\\{%\\s{0,20}(end|\\w{1,50}\\(([^\\n]{0,${TAG_ARGUMENTS_CHARACTERS_MAX}}?)\\))\\s{0,20}%\\}`,
  "g",
);

/** Replaces Zola's shortcodes. In links, `@/` becomes `/content/`. */
export function replaceZolaShortcodes(text: string): UntaggedText {
  const linked = text.replaceAll(/(\]\(|\]:\s{0,20})@\//g, "$1/content/");
  return replaceTags(
    linked,
    ZOLA_SHORTCODE,
    (_whole, [single, singleArguments = "", pair, pairArguments = ""]) => {
      if (pair === "end") return "";
      if (single !== undefined) {
        return getOwnProperty(SHORTCODE_HANDLERS, single)?.(zolaArguments(singleArguments)) ?? null;
      }
      return labelOfTag(zolaArguments(pairArguments));
    },
  );
}

function zolaArguments(text: string): TagArguments {
  return parseTagArguments(text.replaceAll(/\s*,\s*/g, " "));
}
