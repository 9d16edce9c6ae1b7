import type { TagReplacement } from "./replacing.ts";
import { PICTURE_EXTENSION, parseTagArguments, renderPictureOrPageLink } from "./tag-arguments.ts";

/**
 * Matches a file and its alternative text: `"img/a.png", "A garden"` in Eleventy, `a.png "A garden"` in Hexo.
 */
const FILE_AND_TEXT =
  /^(?:"([^"]+)"|'([^']+)'|([^\s"',]+))\s{0,20},?\s{0,20}(?:"([^"]*)"|'([^']*)')/;

/**
 * Returns the picture or address that a Liquid tag names, as Markdown or, in an HTML page, as HTML. Null:
 * the tag names neither.
 */
export function renderPictureTag(given: string, { isHtml }: { isHtml: boolean }): TagReplacement {
  const markdown = pictureWithText(given) ?? renderPictureOrPageLink(parseTagArguments(given));
  return isHtml && markdown !== null ? asHtml(markdown) : markdown;
}

/**
 * Returns the picture that the arguments name, with its alternative text. Null: the arguments name no
 * picture.
 */
function pictureWithText(given: string): TagReplacement {
  const [, ...groups] = FILE_AND_TEXT.exec(given) ?? [];
  const [file = "", text = ""] = [groups.slice(0, 3), groups.slice(3)].map(
    (choices) => choices.find((choice) => choice !== undefined) ?? "",
  );
  if (!PICTURE_EXTENSION.test(file)) return null;
  return `![${text.replaceAll(/[[\]\\]/g, "\\$&")}](${file.replaceAll(" ", "%20")})`;
}

function asHtml(markdown: string): string {
  const [, mark, written = "", target = ""] = /^(!?)\[(.*)\]\((.*)\)$/s.exec(markdown) ?? [];
  const [text, address] = [written.replaceAll(/\\([[\]\\])/g, "$1"), target].map((part) =>
    part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  );
  if (mark === undefined) return markdown;
  return mark === "!" ? `<img src="${address}" alt="${text}">` : `<a href="${address}">${text}</a>`;
}
