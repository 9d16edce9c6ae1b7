/** The values that addresses of posts may contain. */
export interface PostPathValues {
  id: string;
  slug: string;
  author: string;
  /** Slug of the first tag. */
  tag: string;
  /** When the post was published, as `2024-05-06 07:08:09`; may be empty. */
  published: string;
}

/**
 * The path of a post on its former site.
 *
 * @param pattern the setting of early versions of Ghost, such as `/:year/:month/:slug/`; undefined: the
 *   default. Later versions keep the pattern in `routes.yaml`, which is not in exports.
 */
export function formerGhostPostPath(pattern: string | undefined, names: PostPathValues): string {
  const { id, slug, author, tag, published } = names;
  const [, year = "", month = "", day = ""] = /^(\d+)-(\d+)-(\d+)/.exec(published) ?? [];
  const parts: Readonly<Record<string, string>> = {
    ...{ id, slug, author, year, month, day },
    primary_author: author,
    primary_tag: tag || "all",
  };
  const usable = pattern?.startsWith("/") === true && pattern.length <= 200 ? pattern : "/:slug/";
  return usable.replace(/:(\w+)/g, (whole, name: string) => {
    return Object.hasOwn(parts, name) ? encodeURIComponent(parts[name] ?? "") : whole;
  });
}
