/** The folders in which a site generator keeps posts, and the addresses of its lists of posts. */
export interface PostFolders {
  /** Matches files of posts by their path in the site generator's folder. */
  files?: RegExp;
  /**
   * Matches a post's path on the site, without the language. The first group of the match is the folder whose
   * page lists the post.
   */
  sitePaths?: RegExp;
  /**
   * Addresses of lists and feeds, relative to the folder that `sitePaths` finds. `*` matches
   * everything below.
   */
  listsInFolder: readonly string[];
  /** Addresses of lists and feeds, relative to the root of the site. */
  listsAtRoot: readonly string[];
}

const USUAL_FOLDERS = ["blog", "news", "posts", "post", "articles"] as const;

/** Matches folders of posts at any depth. */
const POST_FOLDER_ANYWHERE = new RegExp(`^((?:[^/]+/)*?(?:${USUAL_FOLDERS.join("|")}))/`, "i");
const FEED_FILES = ["feed.xml", "rss.xml", "atom.xml"] as const;

/** For site generators in which only the name of the folder marks a file as a post. */
export const POST_FOLDERS_BY_NAME: PostFolders = {
  sitePaths: POST_FOLDER_ANYWHERE,
  listsInFolder: ["page/*", ...FEED_FILES],
  listsAtRoot: FEED_FILES,
};

export const ELEVENTY_POST_FOLDERS: PostFolders = {
  sitePaths: POST_FOLDER_ANYWHERE,
  listsInFolder: ["page/*", ...FEED_FILES],
  listsAtRoot: [...FEED_FILES, "feed/feed.xml", "feed/atom.xml"],
};

export const ZOLA_POST_FOLDERS: PostFolders = {
  sitePaths: POST_FOLDER_ANYWHERE,
  listsInFolder: ["page/*", "atom.xml", "rss.xml"],
  listsAtRoot: ["atom.xml", "rss.xml"],
};

export const HEXO_POST_FOLDERS: PostFolders = {
  files: /(?:^|\/)_(?:posts|drafts)\//,
  listsInFolder: [],
  listsAtRoot: ["archives/*", "page/*", "atom.xml", "rss2.xml", "rss.xml", "feed.xml"],
};

export const JEKYLL_POST_FOLDERS: PostFolders = {
  files: /(?:^|\/)_(?:posts|drafts)\//,
  listsInFolder: ["page/*"],
  listsAtRoot: ["feed.xml", "atom.xml", "rss.xml"],
};

export const NIKOLA_POST_FOLDERS: PostFolders = {
  listsInFolder: [],
  listsAtRoot: ["rss.xml", "archive.html"],
};

/** In Pelican, every dated text outside the folder of pages is a post. */
export function pelicanPostFolders(folder = "content", pages = "pages"): PostFolders {
  const start = folder === "" ? "" : `${RegExp.escape(folder)}/`;
  return {
    files: new RegExp(`^${start}(?!${RegExp.escape(pages)}/)`),
    ...{ listsInFolder: [], listsAtRoot: ["archives.html", "feeds/all.atom.xml"] },
  };
}

/**
 * The folders of posts in Hugo.
 *
 * @param sections the sections of posts that Hugo's settings name; by default, the usual ones.
 */
export function hugoPostFolders(sections: readonly string[] = USUAL_FOLDERS): PostFolders {
  const names = sections.map((name) => RegExp.escape(name.toLowerCase()));
  return {
    sitePaths: new RegExp(`^(${names.join("|")})/`, "i"),
    listsInFolder: ["page/*", "index.xml"],
    listsAtRoot: ["page/*", "index.xml"],
  };
}

const LISTS_OF_DOCUSAURUS = ["page/*", "archive", "rss.xml", "atom.xml"] as const;

/**
 * The folders of posts in Docusaurus.
 *
 * @param blog `folder` has the blog's files; `place` is its address, empty if the blog is the whole
 * site.
 */
export function docusaurusPostFolders(blog: { folder: string; place: string }): PostFolders {
  if (blog.place === "") {
    return { files: folderStart(blog.folder), listsInFolder: [], listsAtRoot: LISTS_OF_DOCUSAURUS };
  }
  const sitePaths = new RegExp(`^(${RegExp.escape(blog.place)})/`);
  return {
    files: folderStart(blog.folder),
    sitePaths,
    listsInFolder: LISTS_OF_DOCUSAURUS,
    listsAtRoot: [],
  };
}

function folderStart(folder: string): RegExp {
  return new RegExp(`^${RegExp.escape(folder)}/`);
}
