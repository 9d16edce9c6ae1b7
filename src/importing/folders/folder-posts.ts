import type { FolderConventions } from "../../content/import/conventions/folder-conventions.ts";
import type { MarkdownFileContent } from "../../content/import/parsing/markdown-file-content.ts";
import type { OptionalPostProperty } from "../../content/import/posts/post-type.ts";

/**
 * While a folder is surveyed, collects its posts, the properties that posts have, and the addresses of
 * lists of posts.
 */
export class FolderPosts {
  readonly files = new Set<string>();
  /** The parts that occur in at least one post. */
  readonly parts = new Set<OptionalPostProperty>();
  /**
   * Languages of the lists and feeds of public posts on the former site, keyed by the address of the list
   * or feed. Null: the main language.
   */
  readonly lists = new Map<string, string | null>();

  add(
    { file, adapted }: MarkdownFileContent,
    conventions: FolderConventions | null,
    isPublic: boolean,
  ): void {
    const post = adapted?.post ?? null;
    if (adapted === null || post === null || conventions === null) return;
    this.files.add(file);
    if (post.updated !== null) this.parts.add("updated");
    if (adapted.terms.topics.length > 0) this.parts.add("topics");
    if (adapted.terms.authors.length > 0) this.parts.add("authors");
    const { posts } = conventions.generator;
    if (!isPublic || posts === undefined) return;
    const { language = null, prefix = "" } = adapted.place ?? {};
    const { folder } = post;
    const folderLists =
      folder === null ? [] : ["", ...posts.listsInFolder].map((name) => `${folder}/${name}`);
    for (const name of [...folderLists, ...posts.listsAtRoot]) {
      this.lists.set(`/${prefix}${name}`.replace(/\/$/, ""), language);
    }
  }

  /** Adds the addresses of a page that listed posts on the former site and had no text of its own. */
  addList({ adapted }: MarkdownFileContent, conventions: FolderConventions | null): void {
    const { place, listAddresses = [] } = adapted ?? {};
    const [first] = listAddresses;
    const below = first === undefined ? [] : (conventions?.generator.posts?.listsInFolder ?? []);
    for (const address of [...listAddresses, ...below.map((name) => `${first}/${name}`)]) {
      this.lists.set(address.replaceAll(/\/{2,}/g, "/"), place?.language ?? null);
    }
  }
}
