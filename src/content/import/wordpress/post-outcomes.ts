import type { Post } from "./wordpress-site.ts";

/** What becomes of a post. */
export type PostOutcome =
  | { kind: "item"; type: string; visibility: Visibility }
  | { kind: "file" }
  | { kind: "left_out"; what: string; reason: string; isContent: boolean };

/** Whether a text was public, becomes so at a time, or was not; then with the reason. */
export type Visibility =
  | { status: "published" }
  | { status: "scheduled"; publishAt: string }
  | { status: "draft"; reason: string };

/** Which type here takes the posts of each type there. */
export type TypeMapping = ReadonlyMap<string, string>;

/** Types of WordPress that hold no texts for readers, with what they are. */
const FURNITURE: Readonly<Record<string, string>> = {
  nav_menu_item: "menu entries: name the pages of the navigation in the settings",
  revision: "former versions",
  wp_block: "reusable blocks: their texts are put in place",
  wp_navigation: "menus: name the pages of the navigation in the settings",
  wp_template: "templates",
  wp_template_part: "templates",
  wp_global_styles: "styles",
  custom_css: "styles",
  customize_changeset: "settings of the theme",
  oembed_cache: "caches",
  user_request: "requests about personal data",
  wp_font_family: "fonts",
  wp_font_face: "fonts",
};

/** Posts that an editor threw away or never saved. */
const DISCARDED: ReadonlySet<string> = new Set(["trash", "auto-draft"]);

const REASONS: Readonly<Record<string, string>> = {
  draft: "it was a draft",
  pending: "it waited for a review",
  private: "it was private",
  future: "its time of publication has passed without it being published",
};

export function outcomeOf(post: Post, mapping: TypeMapping, now: Date): PostOutcome {
  const { type, status } = post;
  if (DISCARDED.has(status)) {
    return { kind: "left_out", what: type, reason: "in the bin", isContent: false };
  }
  if (type === "attachment") return { kind: "file" };
  const furniture = Object.hasOwn(FURNITURE, type) ? FURNITURE[type] : undefined;
  if (furniture !== undefined) {
    return { kind: "left_out", what: type, reason: furniture, isContent: false };
  }
  const own = mapping.get(type);
  if (own === undefined) {
    const reason = `no type here stands for them: take them in with --as ${type}=page, or name another type`;
    return { kind: "left_out", what: type, reason, isContent: status === "publish" };
  }
  return { kind: "item", type: own, visibility: visibilityOf(post, now) };
}

function visibilityOf({ status, isProtected, publishedAt }: Post, now: Date): Visibility {
  if (isProtected) return { status: "draft", reason: "it was protected by a password" };
  const isLater = publishedAt !== "" && Date.parse(publishedAt) > now.getTime();
  if (status === "publish" && !isLater) return { status: "published" };
  if (status === "future" && isLater) return { status: "scheduled", publishAt: publishedAt };
  const reason = isLater ? "its date is in the future" : REASONS[status];
  return { status: "draft", reason: reason ?? `its status was "${status.slice(0, 50)}"` };
}
