import { findCodeRanges, isWithinRanges } from "./code-ranges.ts";

/** A picture or file that a shortcode refers to by id. */
export interface ShortcodeFile {
  url: string;
  alt: string;
  title: string;
}

export interface ShortcodeContext {
  fileOf(id: string): ShortcodeFile | undefined;
  /**
   * Ids of the files that were uploaded for the text. A `[gallery]` without ids shows these files.
   */
  ownFiles(): readonly string[];
}

interface Expanded {
  html: string;
  /**
   * Names of the shortcodes that were left out, such as `[contact-form-7]`, in order of appearance.
   */
  leftOut: string[];
  /** Ids of pictures and files that shortcodes show but that are missing from the export. */
  missing: string[];
}

const ARGUMENTS_CHARACTERS_MAX = 2000;
/**
 * Once shortcodes have added this number of characters to a text, further shortcodes are not expanded.
 * Needed because each gallery can show all files.
 */
const ADDED_CHARACTERS_MAX = 2 * 1024 * 1024;
const SHORTCODE_TAG = new RegExp(
  `\\[(\\[?)(/?)([a-zA-Z][\\w-]{0,60})((?:[\\s=][^[\\]]{0,${ARGUMENTS_CHARACTERS_MAX}})?)(/?)\\](\\]?)`,
  "g",
);
const SHORTCODE_ARGUMENT =
  /([\w-]{1,60})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|'([^']*)'|([^\s"'=]+)/g;

interface Tag {
  name: string;
  named: Readonly<Record<string, string>>;
  positional: readonly string[];
}

/**
 * Replaces shortcodes with the HTML that they represent. An unknown pair of tags is reduced to the
 * text between them. Text in brackets that is not a shortcode, such as `[sic]`, is not changed.
 */
export function expandShortcodes(html: string, context: ShortcodeContext): Expanded {
  const code = findCodeRanges(html);
  const found = [...html.matchAll(SHORTCODE_TAG)].filter(
    ({ index }) => !isWithinRanges(code, index),
  );
  const closed = new Set(found.flatMap(([, , slash, name]) => (slash === "/" ? [name] : [])));
  const leftOut: string[] = [];
  const missing = new Set<string>();
  const known = {
    ...context,
    fileOf(id: string) {
      const file = context.fileOf(id);
      if (file === undefined && id !== "") missing.add(id);
      return file;
    },
  };
  let text = "";
  let copiedTo = 0;
  const opening = openingHtmlWithinLimit();
  for (const match of found) {
    const [whole, before = "", slash = "", name = "", raw = "", , after = ""] = match;
    text += html.slice(copiedTo, match.index);
    copiedTo = match.index + whole.length;
    if (before !== "" && after !== "") {
      text += whole.slice(1, -1);
      continue;
    }
    const isPair = closed.has(name);
    const replacement =
      slash === "/"
        ? closingHtml(name)
        : opening({ name, ...parseArguments(raw) }, { ...known, isPair });
    if (replacement !== null) text += before + replacement + after;
    else if (isPair || isShortcode(name, raw)) {
      if (!isPair) leftOut.push(`[${name}]`);
      text += before + after;
    } else text += whole;
  }
  return { html: text + html.slice(copiedTo), leftOut, missing: [...missing] };
}

/**
 * Whether a tag in brackets is a shortcode rather than text: its name is known or contains `_` or
 * `-`, or the tag has arguments.
 */
function isShortcode(name: string, raw: string): boolean {
  return /[_-]/.test(name) || raw.includes("=") || KNOWN_SHORTCODES.has(name.toLowerCase());
}

const KNOWN_SHORTCODES: ReadonlySet<string> = new Set(
  "toc products cart checkout map calendar sitemap login loop archives tribe_events".split(" "),
);

function parseArguments(raw: string): Omit<Tag, "name"> {
  const named: Record<string, string> = {};
  const positional: string[] = [];
  for (const match of raw.replace(/^=/, " ").matchAll(SHORTCODE_ARGUMENT)) {
    const [, key, ...values] = match;
    const value = decoded(values.find((each) => each !== undefined) ?? "");
    if (key === undefined) positional.push(value);
    else named[key.toLowerCase()] = value;
  }
  return { named, positional };
}

function decoded(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#8221;", "").replaceAll("&amp;", "&");
}

function closingHtml(name: string): string | null {
  if (name === "caption" || name === "wp_caption") return "</figure>";
  return name === "embed" ? "</p>" : MEDIA_SHORTCODES.has(name) ? "" : null;
}

interface OpeningContext extends ShortcodeContext {
  isPair: boolean;
}

/** Shortcodes that show a recording. `SOURCE_KEYS` are the arguments that may name its file. */
const MEDIA_SHORTCODES: ReadonlySet<string> = new Set(["audio", "video"]);
const SOURCE_KEYS = "src mp4 m4v webm ogv mp3 m4a ogg wav flac url".split(" ");

function openingHtmlWithinLimit(): typeof openingHtml {
  let charactersLeft = ADDED_CHARACTERS_MAX;
  return (tag, context) => {
    const html = charactersLeft > 0 ? openingHtml(tag, context) : null;
    charactersLeft -= html?.length ?? 0;
    return html;
  };
}

function openingHtml({ name, named, positional }: Tag, context: OpeningContext): string | null {
  switch (name) {
    case "caption":
    case "wp_caption":
      return `<figure>${named["caption"] === undefined ? "" : `<figcaption>${escapeHtml(named["caption"])}</figcaption>`}`;
    case "gallery":
      return pictures(parseIds(named) ?? context.ownFiles(), context);
    case "playlist":
      return links(parseIds(named) ?? context.ownFiles(), context);
    case "embed":
      return context.isPair ? "<p>" : linkTo(named["src"] ?? positional[0]);
    case "audio":
    case "video": {
      const source = SOURCE_KEYS.map((key) => named[key]).find((url) => url !== undefined);
      return linkTo(source ?? positional[0]) ?? (context.isPair ? "" : null);
    }
    case "youtube":
    case "vimeo":
      return linkTo(videoAddress(name, positional[0] ?? named["id"] ?? named["url"]));
    default:
      return null;
  }
}

function parseIds(named: Tag["named"]): string[] | null {
  const raw = named["ids"] ?? named["include"];
  return raw === undefined ? null : raw.split(",").map((id) => id.trim());
}

function pictures(ids: readonly string[], { fileOf }: ShortcodeContext): string {
  const shown = ids.flatMap((id) => fileOf(id) ?? []);
  return shown
    .map(({ url, alt }) => `<p><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"></p>`)
    .join("\n");
}

function links(ids: readonly string[], { fileOf }: ShortcodeContext): string {
  const shown = ids.flatMap((id) => fileOf(id) ?? []);
  const entries = shown.map(
    ({ url, title }) => `<li><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></li>`,
  );
  return entries.length === 0 ? "" : `<ul>${entries.join("")}</ul>`;
}

function videoAddress(name: string, raw: string | undefined): string | undefined {
  if (raw === undefined || /^https?:/.test(raw)) return raw;
  const site = name === "vimeo" ? "https://vimeo.com/" : "https://www.youtube.com/watch?v=";
  return site + encodeURIComponent(raw);
}

function linkTo(url: string | undefined): string | null {
  if (url === undefined || url === "") return null;
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`;
}

/** Escapes text for HTML, inside and outside of attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
