import type { Wording } from "../../../errors.ts";
import { dropLoneSurrogate } from "../../../search/language/folding.ts";
import { BODY_BYTES_MAX } from "../../items/item.ts";
import { isHtmlFile } from "../file-path.ts";
import { isRecord } from "../item-parsing.ts";
import { replaceMdxComponents } from "./components.ts";
import type { ConversionNote } from "./conversion-note.ts";
import type { FolderConventions } from "./folder-conventions.ts";
import { convertForeignMarkup } from "./foreign-markup.ts";
import { convertPelicanLinks } from "./metadata-lines.ts";
import { findFileAddressesInLiquidTags, replaceLiquidTags } from "./tags/liquid.ts";
import type { InsertableValues } from "./tags/liquid-conditions.ts";
import { resolveHugoReference } from "./tags/named-files.ts";
import type { UntaggedText } from "./tags/replacing.ts";
import { replaceHugoShortcodes, replaceZolaShortcodes } from "./tags/shortcodes.ts";
import { removeSnippetLines } from "./tags/snippets.ts";
import { convertWikiLinks } from "./wiki-links.ts";

/** Control characters, which this service does not accept in texts. */
const CONTROL_CHARACTERS = /(?![\t\n\r])\p{Cc}/gu;

/** Tags are cut to this length in messages. */
const TAG_CHARACTERS_MAX = 200;

/** Texts with more tags are refused, because replacing so many tags would take over half a second. */
const TAGS_MAX = 20_000;
const TAG_STARTS = /\{\{|\{%|<[A-Za-z/>]|\{/g;

/** The reason why the tags of a text cannot be replaced; null: they can be replaced. */
export function findTooManyTagsError(
  { file, body }: Text,
  { generator }: FolderConventions,
): Wording | null {
  const hasTags =
    generator.tags !== null || generator.hasComponents === true || /\.mdx$/i.test(file);
  if (!hasTags || isHtmlFile(file)) return null;
  const tags = body.match(TAG_STARTS)?.length ?? 0;
  return tags > TAGS_MAX ? TOO_MANY_TAGS : null;
}

const TOO_MANY_TAGS: Wording = {
  en: `has more than ${TAGS_MAX} tags of templates, so that it is not imported; split it`,
  de: `hat mehr als ${TAGS_MAX} Stellen einer Vorlage und wird nicht importiert; teilen Sie die Datei auf`,
};

/** Unknown tags beyond this number share one note. */
const TAGS_REPORTED_MAX = 200;

interface Text {
  file: string;
  values: Readonly<Record<string, unknown>>;
  body: string;
}

interface TextInPlace extends Text {
  /** The language folder at the start of the page's address, such as `de/`; empty if there is none. */
  prefix: string;
}

/**
 * Converts a body to this service's Markdown. Adds to `notes` a note on each tag that is left out. Adds to
 * `findFileAddressesInLiquidTags` the address of each file that a tag names.
 */
export function adaptText(
  text: TextInPlace,
  conventions: FolderConventions,
  {
    notes,
    addressesOfFiles: fileAddressesInLiquidTags,
  }: { notes: ConversionNote[]; addressesOfFiles: Set<string> },
): string {
  const { generator, fileNamed } = conventions;
  const { body, unknown } = withoutTags(text, conventions, fileAddressesInLiquidTags);
  for (const { tag: written, line } of unknown.slice(0, TAGS_REPORTED_MAX)) {
    const tag = dropLoneSurrogate(written.replaceAll(/\s+/g, " ").slice(0, TAG_CHARACTERS_MAX));
    const message = {
      en: `${tag} shows something that ${generator.name} made; it is left out`,
      de: `${tag} zeigt etwas, das ${generator.name} erzeugt hat; es wird weggelassen`,
    };
    notes.push({ bodyLine: line, message });
  }
  const next = unknown[TAGS_REPORTED_MAX];
  if (next !== undefined) {
    const more = unknown.length - TAGS_REPORTED_MAX;
    const message = {
      en: `from here on, further tags that show something that ${generator.name} made are left out: ${more}`,
      de: `ab hier werden weitere Stellen weggelassen, die etwas von ${generator.name} zeigen: ${more}`,
    };
    notes.push({ bodyLine: next.line, message });
  }
  // Bodies above the limit are not converted, because saving refuses them.
  if (body.length > BODY_BYTES_MAX) return body;
  const withPlainLinks = generator.metadata === "pelican" ? convertPelicanLinks(body) : body;
  const linked =
    generator.hasWikiLinks === true
      ? convertWikiLinks(withPlainLinks, (name) => fileNamed(name, text.file), notes)
      : withPlainLinks;
  return isHtmlFile(text.file)
    ? linked
    : convertForeignMarkup(linked.replaceAll(CONTROL_CHARACTERS, ""));
}

function withoutTags(
  { file, values, body, prefix }: TextInPlace,
  { generator, pictureBeside, fileNamed, partNamed }: FolderConventions,
  addresses: Set<string>,
): UntaggedText {
  if (body.length > BODY_BYTES_MAX) return { body, unknown: [] };
  const site = generator.siteValues ?? {};
  if (generator.hasComponents === true || /\.mdx$/i.test(file))
    return replaceMdxComponents(body, values);
  if (generator.tags === "hugo") {
    const pictureNamed = (name: string) => pictureBeside(file, name);
    const fileOf = (reference: string) => {
      const found = resolveHugoReference(file, reference, (name) => fileNamed(name, ""));
      if (found !== undefined) addresses.add(`/${encodeURI(found)}`);
      return found;
    };
    const root = `/${prefix}`;
    const parameterNamed = (name: string) => parameterIn({ page: values, site }, name);
    return replaceHugoShortcodes(body, { root, pictureNamed, fileNamed: fileOf, parameterNamed });
  }
  if (generator.tags === "zola") return replaceZolaShortcodes(body);
  if (generator.tags === "liquid") {
    for (const address of findFileAddressesInLiquidTags(body)) addresses.add(address);
    const isHtml = isHtmlFile(file);
    return replaceLiquidTags(body, { page: values, site, include: {}, isHtml, partNamed });
  }
  if (generator.hasSnippets === true) return removeSnippetLines(body);
  return { body, unknown: [] };
}

/** Returns a parameter of the page or the site by name, ignoring case. */
function parameterIn(
  { page, site }: Pick<InsertableValues, "page" | "site">,
  name: string,
): string | undefined {
  const isNamed = ([key]: readonly [string, unknown]) => key.toLowerCase() === name.toLowerCase();
  const found = [page, page["params"], site].flatMap((values) =>
    isRecord(values) ? (Object.entries(values).find(isNamed)?.slice(1) ?? []) : [],
  );
  return found
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map(String)[0];
}
