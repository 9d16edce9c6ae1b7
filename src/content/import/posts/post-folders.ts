/** Where a program keeps posts, and which addresses list them. */
export interface PostFolders {
  /** Matches files of posts by their path in the program's folder. */
  files?: RegExp;
  /**
   * Matches posts by their path on the site without the language. The first group is the folder at
   * whose address they are listed.
   */
  places?: RegExp;
  /** Further lists and feeds below that folder; `*` is everything below. */
  below: readonly string[];
  /** Lists and feeds at the root of the site. */
  atRoot: readonly string[];
}

const USUAL_FOLDERS = ["blog", "news", "posts", "post", "articles"] as const;

/** Folders of posts anywhere in the site. */
const POST_FOLDER_ANYWHERE = new RegExp(`^((?:[^/]+/)*?(?:${USUAL_FOLDERS.join("|")}))/`, "i");
const FEED_FILES = ["feed.xml", "rss.xml", "atom.xml"] as const;

/** For programs whose posts are recognised only by the name of their folder. */
export const NAMED_FOLDERS: PostFolders = {
  places: POST_FOLDER_ANYWHERE,
  below: ["page/*", ...FEED_FILES],
  atRoot: FEED_FILES,
};

export const POSTS_OF_ELEVENTY: PostFolders = {
  places: POST_FOLDER_ANYWHERE,
  below: ["page/*", ...FEED_FILES],
  atRoot: [...FEED_FILES, "feed/feed.xml", "feed/atom.xml"],
};

export const POSTS_OF_ZOLA: PostFolders = {
  places: POST_FOLDER_ANYWHERE,
  below: ["page/*", "atom.xml", "rss.xml"],
  atRoot: ["atom.xml", "rss.xml"],
};

export const POSTS_OF_HEXO: PostFolders = {
  files: /(?:^|\/)_(?:posts|drafts)\//,
  below: [],
  atRoot: ["archives/*", "page/*", "atom.xml", "rss2.xml", "rss.xml", "feed.xml"],
};

export const POSTS_OF_JEKYLL: PostFolders = {
  files: /(?:^|\/)_(?:posts|drafts)\//,
  below: ["page/*"],
  atRoot: ["feed.xml", "atom.xml", "rss.xml"],
};

export const POSTS_OF_NIKOLA: PostFolders = { below: [], atRoot: ["rss.xml", "archive.html"] };

/** Every dated text of Pelican is a post, except in its folder of pages. */
export function postsOfPelican(folder = "content", pages = "pages"): PostFolders {
  const start = folder === "" ? "" : `${escaped(folder)}/`;
  return {
    files: new RegExp(`^${start}(?!${escaped(pages)}/)`),
    ...{ below: [], atRoot: ["archives.html", "feeds/all.atom.xml"] },
  };
}

/** @param sections names of the sections with posts, if Hugo's settings specify them. */
export function postsOfHugo(sections: readonly string[] = USUAL_FOLDERS): PostFolders {
  const names = sections.map((name) => name.toLowerCase().replaceAll(/[^\w/]/g, "\\$&"));
  return {
    places: new RegExp(`^(${names.join("|")})/`, "i"),
    below: ["page/*", "index.xml"],
    atRoot: ["page/*", "index.xml"],
  };
}

const LISTS_OF_DOCUSAURUS = ["page/*", "archive", "rss.xml", "atom.xml"] as const;

/**
 * @param blog the folder of the blog and its address; empty address: the blog is the whole site.
 */
export function postsOfDocusaurus(blog: { folder: string; place: string }): PostFolders {
  if (blog.place === "") {
    return { files: folderStart(blog.folder), below: [], atRoot: LISTS_OF_DOCUSAURUS };
  }
  const places = new RegExp(`^(${escaped(blog.place)})/`);
  return { files: folderStart(blog.folder), places, below: LISTS_OF_DOCUSAURUS, atRoot: [] };
}

function folderStart(folder: string): RegExp {
  return new RegExp(`^${escaped(folder)}/`);
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w/]/g, "\\$&");
}
