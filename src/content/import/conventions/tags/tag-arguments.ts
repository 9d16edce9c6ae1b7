import { titleOfFile } from "../../file-path.ts";
import type { TagReplacement } from "./replacing.ts";

/** The page that contains a tag, and the files that the tag's arguments can refer to. */
export interface TagContext {
  /** Prefix of addresses in the page's language, such as `/` or `/de/`. */
  root: string;
  /** Finds the file that a reference such as `guide/start` or `start.md` names. */
  fileNamed: (reference: string) => string | undefined;
  /** Finds the picture in the page's folder by its name without the extension. */
  pictureNamed: (name: string) => string | undefined;
  /** Returns the page's value of a parameter, or else the site's value. */
  parameterNamed: (name: string) => string | undefined;
}

export interface TagArguments {
  named: Readonly<Record<string, string>>;
  positional: readonly string[];
}

export function parseTagArguments(text: string): TagArguments {
  const named: Record<string, string> = {};
  const positional: string[] = [];
  for (const [, name, quoted, raw, bare] of text.matchAll(
    /(?:([\w-]+)=)?(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+))/g,
  )) {
    const value = quoted ?? raw ?? bare ?? "";
    if (name === undefined) positional.push(value);
    else named[name] = value;
  }
  return { named, positional };
}

const SOURCE_ARGUMENTS = ["src", "image_path", "image", "path", "file", "url", "name"] as const;
export const PICTURE_EXTENSION = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

/** The picture or page that a theme's tag refers to, as Markdown; null: it refers to neither. */
export function renderPictureOrPageLink(given: TagArguments, page?: TagContext): TagReplacement {
  const { named, positional } = given;
  const { alt, caption, title } = named;
  const text = alt ?? caption ?? title ?? "";
  const raw = [...SOURCE_ARGUMENTS.flatMap((name) => named[name] ?? []), ...positional];
  const picture =
    raw.find((source) => PICTURE_EXTENSION.test(source)) ??
    raw.map((source) => page?.pictureNamed(source)).find((found) => found !== undefined);
  if (picture !== undefined) return `![${text}](${picture})`;
  const frame = /^https?:\/\/\S+$/.test(named["src"] ?? "") ? named["src"] : undefined;
  if (frame !== undefined) return `[${text || frame}](${frame})`;
  const target = page === undefined ? null : targetOfTag(given, page);
  if (target === null) return null;
  const label = LABEL_ARGUMENTS.flatMap((name) => named[name] ?? [])[0];
  return label === undefined ? target.asLink : `[${label}](${target.address})`;
}

interface Target {
  address: string;
  /**
   * The link that replaces a tag without a label. The text of the link is the name of the page. Null: the
   * target is not a page.
   */
  asLink: TagReplacement;
}

const ADDRESS_ARGUMENTS = ["href", "url", "link", "to"] as const;
const PAGE_ARGUMENTS = ["page", "ref", "relref", "slug"] as const;

/** The target of a tag, such as `href="/join/"` or `page="user/signup"`; null: the tag has no target. */
export function targetOfTag({ named }: TagArguments, { root }: TagContext): Target | null {
  const address = ADDRESS_ARGUMENTS.flatMap((name) => named[name] ?? [])[0];
  if (address !== undefined) {
    return /^(?:https?:\/\/|\/|#)\S+$|^\/$/.test(address) ? { address, asLink: null } : null;
  }
  const page = PAGE_ARGUMENTS.flatMap((name) => named[name] ?? [])[0];
  if (page === undefined || !/^[^\s:?()]{1,300}$/.test(page)) return null;
  const [place = "", fragment] = page.split("#", 2);
  const bare = place.replace(/^\/|(?:\/_?index)?\.mdx?$|\/$/g, "");
  const pageAddress = root + bare.toLowerCase() + (fragment === undefined ? "" : `#${fragment}`);
  return { address: pageAddress, asLink: `[${titleOfFile(bare)}](${pageAddress})` };
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

export function labelOfTag({ named }: TagArguments): string {
  const texts = LABEL_ARGUMENTS.flatMap((name) => named[name] ?? []);
  return texts.length === 0 ? "" : `**${texts.join(", ")}** `;
}
