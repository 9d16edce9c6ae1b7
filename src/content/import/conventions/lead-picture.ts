import type { Wording } from "../../../errors.ts";
import { candidateFilesOfLink, isHtmlFile } from "../file-path.ts";
import { isRecord } from "../item-parsing.ts";
import { countLineBreaks } from "../lines.ts";
import type { FolderConventions } from "./folder-conventions.ts";

type Values = Record<string, unknown>;

/** A picture that the front matter names, but that is not in the folder. */
export interface MissingPicture {
  key: string;
  link: string;
}

const PICTURE_FILE = /^(?![a-z][a-z+.-]*:|\/\/).*\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

/** Keys of front matter for the picture at the top of a page, the most specific first. */
const PICTURE_KEYS: readonly string[] = [
  ..."featured_image featuredImage featuredimage cover cover_image coverImage banner".split(" "),
  ..."hero hero_image heroImage image thumbnail".split(" "),
];
const ADDRESS_KEYS: readonly string[] = ["src", "url", "path", "image", "file", "relative"];
const ALT_KEYS: readonly string[] = ["alt", "alt_text", "altText", "description"];

const LEADING_HEADING = /^\s*(?:#[ \t][^\n]*|[^\s#][^\n]*\n=+[ \t]*)(?:\n|$)/;
const LEADING_PICTURE =
  /^\s*(?:!\[[^\]]*\]\(\s*(?:<([^<>\n]+)>|((?:[^\s()<>]|\([^\s()<>]*\))+))|<img\b[^<>]*?\bsrc="([^"]+)")/i;

interface Text {
  file: string;
  body: string;
}

/**
 * The front matter can name a lead picture. Inserts this picture below the heading at the top of the text,
 * unless the text already begins with it. Removes the key if the picture is in the folder; otherwise returns the
 * picture in `missing`.
 */
export function insertLeadPicture(
  { file, body }: Text,
  values: Values,
  { filesAt, hasFile }: FolderConventions,
): { body: string; linesAdded: number; missing: readonly MissingPicture[] } {
  const fileOf = (link: string) => candidateFilesOfLink(encoded(link), file, filesAt).find(hasFile);
  const stated = isHtmlFile(file) ? [] : picturesIn(values);
  const missing = stated.filter(
    ({ link }) => PICTURE_FILE.test(link) && fileOf(link) === undefined,
  );
  const unchanged = { body, linesAdded: 0, missing };
  for (const { key, link, alt } of stated) {
    const picture = fileOf(link);
    if (picture === undefined) continue;
    delete values[key];
    const [heading = ""] = LEADING_HEADING.exec(body) ?? [];
    const rest = body.slice(heading.length).replace(/^\n+/, "");
    const first = LEADING_PICTURE.exec(rest)
      ?.slice(1)
      .find((link) => link !== undefined);
    if (first !== undefined && fileOf(first) === picture) return unchanged;
    const start = heading === "" || heading.endsWith("\n") ? heading : `${heading}\n`;
    const newBody = `${start}![${alt}](${encoded(link)})\n\n${rest}`;
    return { body: newBody, linesAdded: countLineBreaks(newBody) - countLineBreaks(body), missing };
  }
  return unchanged;
}

/** The warning that a picture named in the front matter is missing and left out. */
export function missingPictureWarning({ link }: MissingPicture): Wording {
  const shown = link.slice(0, 200);
  return {
    en: `the picture "${shown}" is not in the folder; it is left out`,
    de: `das Bild „${shown}“ ist nicht im Ordner; es wird weggelassen`,
  };
}

interface StatedPicture extends MissingPicture {
  alt: string;
}

function picturesIn(values: Values): StatedPicture[] {
  return PICTURE_KEYS.flatMap((key) => {
    const picture = pictureIn(key, values);
    return picture === null ? [] : [{ key, ...picture }];
  });
}

function pictureIn(key: string, values: Values): { link: string; alt: string } | null {
  const [raw] = [values[key]].flat();
  const parts = isRecord(raw) ? raw : {};
  const addresses = [raw, ...ADDRESS_KEYS.map((each) => parts[each])];
  const link = addresses.find((address) => typeof address === "string" && address.trim() !== "");
  if (typeof link !== "string") return null;
  const alts = [
    ...ALT_KEYS.map((each) => parts[each]),
    ...[`${key}_alt`, `${key}Alt`, `${key}-alt`].map((each) => values[each]),
  ];
  const alt = alts.find((text) => typeof text === "string") ?? "";
  const plain = String(alt).replaceAll(/\s+/g, " ").trim();
  return { link: withoutTemplates(link), alt: plain.replaceAll(/[\\[\]]/g, "\\$&") };
}

function withoutTemplates(link: string): string {
  return link.replaceAll(/\{\{[^{}]*\}\}/g, "").trim();
}

/** Encodes a link for Markdown: `a (1).png` → `a%20%281%29.png`. */
function encoded(link: string): string {
  return link
    .split("/")
    .map((part) => (part.endsWith(":") ? part : encodeURIComponent(decoded(part))))
    .join("/")
    .replaceAll("(", "%28")
    .replaceAll(")", "%29");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
