import type { FolderConventions } from "../../content/import/conventions/folder-conventions.ts";
import type { MarkdownText } from "../../content/import/markdown-file.ts";
import type { PostPart } from "../../content/import/posts/post-type.ts";

/** The posts of a folder, as its survey finds them. */
export class FolderPosts {
  readonly files = new Set<string>();
  /** Parts that any of the posts has. */
  readonly parts = new Set<PostPart>();
  /**
   * Addresses where the former site listed public posts, feeds included, with their languages;
   * null: the main language.
   */
  readonly lists = new Map<string, string | null>();

  add(
    { file, adapted }: MarkdownText,
    conventions: FolderConventions | null,
    isPublic: boolean,
  ): void {
    const post = adapted?.post ?? null;
    if (adapted === null || post === null || conventions === null) return;
    this.files.add(file);
    if (post.updated !== null) this.parts.add("updated");
    if (adapted.terms.topics.length > 0) this.parts.add("topics");
    if (adapted.terms.authors.length > 0) this.parts.add("authors");
    const { posts } = conventions.program;
    if (!isPublic || posts === undefined) return;
    const { language = null, prefix = "" } = adapted.place ?? {};
    const { folder } = post;
    const below = folder === null ? [] : ["", ...posts.below].map((name) => `${folder}/${name}`);
    for (const name of [...below, ...posts.atRoot]) {
      this.lists.set(`/${prefix}${name}`.replace(/\/$/, ""), language);
    }
  }

  /** Notes the addresses of a file that only lists the posts. */
  addList({ adapted }: MarkdownText, conventions: FolderConventions | null): void {
    const { place, listAt = [] } = adapted ?? {};
    const [own] = listAt;
    const below = own === undefined ? [] : (conventions?.program.posts?.below ?? []);
    for (const address of [...listAt, ...below.map((name) => `${own}/${name}`)]) {
      this.lists.set(address.replaceAll(/\/{2,}/g, "/"), place?.language ?? null);
    }
  }
}
