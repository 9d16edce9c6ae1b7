import { removeTrailingSlash } from "../file-path.ts";
import { formerPath, parseFormerSiteAddress } from "./post-addresses.ts";
import type { WordPressImportPlan } from "./wordpress-plan.ts";
import { termKey, type WordPressPost, withoutWww } from "./wordpress-site.ts";

/**
 * The target of a link. `path`: a path on this site. `elsewhere`: an address outside this site and the former
 * site.
 */
export type OldLinkTarget =
  | { kind: "path"; path: string }
  /**
   * A file in the uploads folder. `post` is the attachment of the file; null: the export does not list the
   * file.
   */
  | { kind: "file"; upload: string; post: WordPressPost | null }
  /** A path on the former site that the export does not include. */
  | { kind: "unknown"; path: string }
  | { kind: "elsewhere" };

/** The suffix in the file name of a picture that WordPress made smaller, scaled or rotated. */
const SIZE_SUFFIX = /-(?:\d{1,5}x\d{1,5}|scaled|rotated|e\d{10,13})(?=\.[a-z0-9]{2,5}$)/i;
/**
 * Matches the upload folders of WordPress and Ghost, and the wiki page that redirects to uploads.
 */
const UPLOADS_PREFIX =
  /^(?:.*\/uploads\/|\/content\/(?=(?:images|media|files)\/)|.*\/Special:Redirect\/file\/)/s;
/** The part of a Ghost address that requests a smaller version of a picture. */
const GHOST_SIZE = /(?<=^images)\/size\/w\d+(?:h\d+)?(?:\/format\/\w+)?(?=\/)/;
/** Hosts of an image service that resizes pictures from other hosts. */
const IMAGE_PROXY_HOST = /^i\d\.wp\.com$/;

/** Resolves links to the former site. */
export class OldLinkResolver {
  readonly #plan: WordPressImportPlan;
  readonly #posts = new Map<string, string>();
  readonly #files = new Map<string, WordPressPost>();
  readonly #fileHosts = new Set<string>();
  readonly #attachments = new Map<string, WordPressPost>();

  constructor(plan: WordPressImportPlan) {
    this.#plan = plan;
    for (const { post, path } of plan.posts.values()) {
      const former = formerPath(post, plan.site);
      if (former !== null) this.#posts.set(former.toLowerCase(), path);
      this.#addStated(post.formerPaths, path);
    }
    for (const { term, path } of plan.topics.values()) this.#addStated(term.formerPaths, path);
    for (const post of plan.files.values()) {
      const upload = uploadPathOf(post);
      if (upload === null) continue;
      this.#files.set(upload, post);
      this.#fileHosts.add(withoutWww(URL.parse(post.file?.url ?? "")?.host ?? ""));
      const former = formerPath(post, plan.site);
      if (former !== null) this.#attachments.set(former.toLowerCase(), post);
    }
  }

  #addStated(formerPaths: readonly string[], path: string): void {
    for (const each of formerPaths) {
      const address = parseFormerSiteAddress(each, this.#plan.site);
      if (address !== null && address.query.size === 0) {
        this.#posts.set(address.path, path);
        if (!this.#posts.has(address.path.toLowerCase())) {
          this.#posts.set(address.path.toLowerCase(), path);
        }
      }
    }
  }

  targetOf(raw: string): OldLinkTarget {
    const link = withoutProxy(raw);
    const url = URL.parse(link, `https://${this.#plan.site.host}/`);
    const address = parseFormerSiteAddress(link, this.#plan.site);
    const isFileHost = url !== null && this.#fileHosts.has(withoutWww(url.host));
    if (url !== null && (isFileHost || UPLOADS_PREFIX.test(address?.path ?? ""))) {
      const file = this.#fileAt(uploadPath(url.pathname));
      if (file !== null) return file;
    }
    if (address === null) return { kind: "elsewhere" };
    return this.#onSite(address);
  }

  #fileAt(upload: string | null): OldLinkTarget | null {
    if (upload === null) return null;
    const post =
      this.#files.get(upload) ?? this.#files.get(upload.replace(SIZE_SUFFIX, "")) ?? null;
    const known = post ?? this.#files.get(upload.replace(SIZE_SUFFIX, "-scaled")) ?? null;
    if (known === null && !/\.[a-z0-9]{2,5}$/i.test(upload)) return null;
    return { kind: "file", upload: (known && uploadPathOf(known)) ?? upload, post: known };
  }

  #onSite(address: NonNullable<ReturnType<typeof parseFormerSiteAddress>>): OldLinkTarget {
    const { query, fragment } = address;
    const { posts, files, site } = this.#plan;
    const ending = site.system === "mediawiki" ? /$/ : /\/(?:page\/\d+|feed|amp)$/;
    const path = removeTrailingSlash(address.path.replace(ending, ""));
    const id = query.get("p") ?? query.get("page_id") ?? "";
    const pathById = posts.get(id)?.path;
    if (pathById !== undefined) return { kind: "path", path: pathById + fragment };
    const attachment = files.get(query.get("attachment_id") ?? "");
    const file = attachment ?? this.#attachments.get(path.toLowerCase());
    const upload = file === undefined ? null : uploadPathOf(file);
    if (file !== undefined && upload !== null) return { kind: "file", upload, post: file };
    const found =
      this.#posts.get(path) ?? this.#posts.get(path.toLowerCase()) ?? this.#archive(path);
    if (found !== undefined) return { kind: "path", path: found + fragment };
    if (path === "/" && query.size === 0) return { kind: "path", path: `/${fragment}` };
    const rest = query.size === 0 ? "" : `?${query}`;
    return { kind: "unknown", path: encodeURI(path) + rest + fragment };
  }

  /** The path that replaces the archive page of a category, tag or author. */
  #archive(path: string): string | undefined {
    const [, kind, name = ""] = /^\/(category|tag|author)\/(?:.*\/)?([^/]+)$/.exec(path) ?? [];
    if (kind === undefined) return undefined;
    if (kind !== "author") return this.#plan.topics.get(termKey(name))?.path;
    return this.#plan.authors.get(name)?.path;
  }
}

/** The path of an attachment's file below the uploads folder, such as `2024/05/garden.jpg`. */
export function uploadPathOf({ file }: WordPressPost): string | null {
  const url = URL.parse(file?.url ?? "");
  return url === null ? null : uploadPath(url.pathname);
}

/** The path below the uploads folder; null if it is malformed or could lead out of that folder. */
function uploadPath(pathname: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  const upload = path.replace(UPLOADS_PREFIX, "").replace(/^\/+/, "").replace(GHOST_SIZE, "");
  const isSafe = upload
    .split("/")
    .every((part) => part !== "" && !part.startsWith(".") && !/[\\\p{Cc}]/u.test(part));
  return isSafe && upload.length <= 1000 ? upload : null;
}

function withoutProxy(link: string): string {
  const url = URL.parse(link);
  return url !== null && IMAGE_PROXY_HOST.test(url.host) ? `https:/${url.pathname}` : link;
}
