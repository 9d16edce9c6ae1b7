import { AppError, englishOnly } from "../../../errors.ts";
import type { ContentType, ContentTypes } from "../../types/content-type.ts";
import type { TypeMapping } from "./post-outcomes.ts";
import type { WordPressSite } from "./wordpress-site.ts";

/** Declared types that can hold posts, best first. */
const POST_TYPES: readonly string[] = ["news", "post", "article", "blog"];

/** The type for posts on a site that has none: by date, with topics and authors. */
export const NEWS_TYPE: ContentType = {
  name: "news",
  label: "News item",
  plural: "News",
  description: "What is new at the association.",
  listPath: "/news",
  fields: { date: { kind: "date", label: "Date", filter: true, sort: true } },
  relations: {
    topics: {
      label: "Topics",
      target: "topic",
      many: true,
      inverse: { name: "news", label: "News" },
    },
    authors: {
      label: "Authors",
      target: "author",
      many: true,
      inverse: { name: "news", label: "News" },
    },
  },
  defaultSort: "date",
  schemaOrg: "NewsArticle",
  dated: { by: "date" },
  translations: {
    de: {
      label: "Nachricht",
      plural: "Nachrichten",
      description: "Neues aus dem Verein.",
      fields: { date: { label: "Datum" } },
      relations: {
        topics: { label: "Themen", inverse: "Nachrichten" },
        authors: { label: "Von", inverse: "Nachrichten" },
      },
    },
  },
};

/**
 * Maps types of posts to types here: as stated (`post=news`), otherwise pages to pages, posts to
 * news, and others to the type of the same name.
 *
 * @param stated pairs of names.
 * @throws {AppError} `invalid` for a pair that names no type.
 */
export function mappingOf(
  site: WordPressSite,
  types: ContentTypes,
  stated: readonly string[],
): { mapping: TypeMapping; needsNews: boolean } {
  const found = new Set([...site.posts.values()].map(({ type }) => type));
  const mapping = new Map<string, string>();
  for (const name of found) if (types.has(name) && name !== "post") mapping.set(name, name);
  mapping.set("page", "page");
  const own = POST_TYPES.find((name) => types.has(name));
  mapping.set("post", own ?? NEWS_TYPE.name);
  for (const pair of stated) {
    const [, from = "", to = ""] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
    if (!types.has(to)) {
      const known = [...types.keys()].join(", ");
      throw new AppError(
        "invalid",
        englishOnly(
          `Cannot read "${pair}": say which type takes which posts, as post=page; there are ${known}`,
        ),
      );
    }
    mapping.set(from, to);
  }
  return { mapping, needsNews: found.has("post") && !types.has(mapping.get("post") ?? "") };
}
