/** `[[Walden]]`, `[[Walden#Spring|in spring]]`, `![[photo.png|300]]`. */
const WIKI_LINK =
  /(!?)\[\[([^[\]|#\n]{1,300})(?:#([^[\]|\n]{0,300}))?(?:\|([^[\]\n]{0,300}))?\]\]/g;

/**
 * Converts wiki links to Markdown links to the file's path from the top folder. A name without a
 * file becomes plain text.
 */
export function withoutWikiLinks(
  body: string,
  fileNamed: (name: string) => string | undefined,
): string {
  return body.replace(WIKI_LINK, (_whole, mark: string, name: string, _heading, label?: string) => {
    const file = fileNamed(name.trim());
    const text = label ?? name;
    if (file === undefined) return mark === "!" ? "" : text;
    const address = `/${file.split("/").map(encodeURIComponent).join("/")}`;
    // The label of an embedded picture is its width.
    return mark === "!" ? `![](${address})` : `[${text}](${address})`;
  });
}

/** Looks files up by path or name, ignoring case; texts also without their extension. */
export function filesByName(files: readonly string[]): (name: string) => string | undefined {
  const byName = new Map<string, string>();
  for (const file of files) {
    const place = file.toLowerCase();
    const name = place.slice(place.lastIndexOf("/") + 1);
    for (const key of [place, place.replace(/\.md$/, ""), name, name.replace(/\.md$/, "")]) {
      if (!byName.has(key)) byName.set(key, file);
    }
  }
  return (name) => byName.get(name.toLowerCase());
}
