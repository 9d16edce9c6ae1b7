import { englishOnlyWording, type Wording } from "../../../errors.ts";
import { OMITTED_WIKI_POST_TYPES } from "../mediawiki/wiki-kinds.ts";
import type { WordPressPost } from "./wordpress-site.ts";

/** How a post is imported: as an item, as a file, as part of other posts, or not at all. */
export type PostImportOutcome =
  | { kind: "item"; type: string; visibility: PlannedPostStatus }
  | { kind: "file" }
  /** A reusable block: its text is inserted into the posts that refer to it. */
  | { kind: "block" }
  | { kind: "left_out"; what: Wording; reason: Wording; isContent: boolean };

/**
 * The status of an imported post: `published` or `scheduled` as on the former site, or `draft` with
 * the reason.
 */
export type PlannedPostStatus =
  | { status: "published" }
  | { status: "scheduled"; publishAt: string }
  | { status: "draft"; reason: Wording };

/** Names of content types, keyed by WordPress post type. */
export type PostTypeMapping = ReadonlyMap<string, string>;

/** WordPress post types without texts for readers, each with the explanation in the report. */
const TYPES_WITHOUT_TEXT: Readonly<Record<string, Wording>> = {
  nav_menu_item: {
    en: "menu entries: name the pages of the navigation in the settings",
    de: "Menüeinträge: Stellen Sie die Navigation hier selbst zusammen",
  },
  revision: { en: "former versions", de: "frühere Fassungen" },
  wp_navigation: {
    en: "menus: name the pages of the navigation in the settings",
    de: "Menüs: Stellen Sie die Navigation hier selbst zusammen",
  },
  wp_template: { en: "templates", de: "Vorlagen" },
  wp_template_part: { en: "templates", de: "Vorlagen" },
  wp_global_styles: { en: "styles", de: "Formatvorlagen" },
  custom_css: { en: "styles", de: "Formatvorlagen" },
  customize_changeset: { en: "settings of the theme", de: "Einstellungen des Themes" },
  oembed_cache: { en: "caches", de: "Zwischenspeicher" },
  user_request: { en: "requests about personal data", de: "Anfragen zu persönlichen Daten" },
  wp_font_family: { en: "fonts", de: "Schriften" },
  wp_font_face: { en: "fonts", de: "Schriften" },
  ...OMITTED_WIKI_POST_TYPES,
};

/** Statuses of posts that are in the trash or were never saved. */
const DISCARDED_STATUSES: ReadonlySet<string> = new Set(["trash", "auto-draft"]);

const SKIP_REASONS: Readonly<Record<string, Wording>> = {
  draft: { en: "it was a draft", de: "er war ein Entwurf" },
  pending: { en: "it waited for a review", de: "er wartete auf eine Prüfung" },
  private: { en: "it was private", de: "er war privat" },
  future: {
    en: "its time of publication has passed without it being published",
    de: "seine Zeit ist vergangen, ohne dass er veröffentlicht wurde",
  },
};

const IN_TRASH: Wording = { en: "in the bin", de: "im Papierkorb" };
const PASSWORD_PROTECTED: Wording = {
  en: "it was protected by a password",
  de: "er war durch ein Passwort geschützt",
};
const IN_FUTURE: Wording = {
  en: "its date is in the future",
  de: "sein Datum liegt in der Zukunft",
};

export function decidePostImportOutcome(
  post: WordPressPost,
  mapping: PostTypeMapping,
  now: Date,
): PostImportOutcome {
  const { type, status } = post;
  if (DISCARDED_STATUSES.has(status)) {
    return { kind: "left_out", what: englishOnlyWording(type), reason: IN_TRASH, isContent: false };
  }
  if (type === "attachment") return { kind: "file" };
  if (type === "wp_block") return { kind: "block" };
  const withoutText = Object.hasOwn(TYPES_WITHOUT_TEXT, type)
    ? TYPES_WITHOUT_TEXT[type]
    : undefined;
  if (withoutText !== undefined) {
    return {
      kind: "left_out",
      what: englishOnlyWording(type),
      reason: withoutText,
      isContent: false,
    };
  }
  const target = mapping.get(type);
  if (target === undefined) {
    const reason = {
      en: `no type here corresponds to them: choose what they become, such as ${type}=page, and import again`,
      de: `es gibt hier keine Art dafür: Wählen Sie, was aus ihnen wird, etwa ${type}=page, und importieren Sie noch einmal`,
    };
    return {
      kind: "left_out",
      what: englishOnlyWording(type),
      reason,
      isContent: status === "publish",
    };
  }
  return { kind: "item", type: target, visibility: visibilityOf(post, now) };
}

function visibilityOf(
  { status, isProtected, publishedAt }: WordPressPost,
  now: Date,
): PlannedPostStatus {
  if (isProtected) return { status: "draft", reason: PASSWORD_PROTECTED };
  const isLater = publishedAt !== "" && Date.parse(publishedAt) > now.getTime();
  if (status === "publish" && !isLater) return { status: "published" };
  if (status === "future" && isLater) return { status: "scheduled", publishAt: publishedAt };
  const reason = isLater ? IN_FUTURE : SKIP_REASONS[status];
  const shown = status.slice(0, 50);
  const other = { en: `its status was "${shown}"`, de: `sein Status war „${shown}“` };
  return { status: "draft", reason: reason ?? other };
}
