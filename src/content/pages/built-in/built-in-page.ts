import type { SiteTexts } from "../../../texts/site/english.ts";
import type { ReadingCopy } from "../../library.ts";
import { type Edition, editionPath, editionsOf } from "../../site/editions.ts";
import { CONTACT_PATH, type VisitorForm } from "../contact-forms.ts";
import type { Anchor, Block, InlineContent, PageRequest, PageView } from "../view.ts";

/** A page that the service makes itself. A published item or a list at its path replaces the page. */
export interface BuiltInPage {
  /** The path in the main edition. */
  path: string;
  title(texts: SiteTexts): string;
  /** Whether menus can link to the page; a static copy then has it too. */
  isLinkable: boolean;
  /** What the page lists, in English, for `llms.txt`; the sitemap then has the page too. Null: neither has it. */
  listed: string | null;
  /** Whether the edition has something to show on the page. */
  hasContent(reading: ReadingCopy, edition: Edition): boolean;
  /** Returns null if there is nothing on the requested page of a list. */
  view(reading: ReadingCopy, edition: Edition, request: PageRequest): PageView | null;
}

/** A page that is always there, and that neither menus nor lists of pages name. */
export const UNLISTED_PAGE = { isLinkable: false, listed: null, hasContent: () => true } as const;

/** Whether visitors find the page at its path in an edition. */
export function isBuiltInPageShown(
  page: Pick<BuiltInPage, "path" | "hasContent">,
  reading: ReadingCopy,
  edition: Edition,
): boolean {
  return !isReplaced(page, reading, edition) && page.hasContent(reading, edition);
}

/** The page in all editions that show it. */
export function listBuiltInPageTranslations(
  page: Pick<BuiltInPage, "path" | "hasContent" | "title">,
  reading: ReadingCopy,
): PageView["translations"] {
  return editionsOf(reading)
    .filter((edition) => isBuiltInPageShown(page, reading, edition))
    .map((edition) => ({
      language: edition.language,
      path: editionPath(edition, page.path),
      title: page.title(edition.texts),
    }));
}

function isReplaced(
  { path }: Pick<BuiltInPage, "path">,
  reading: ReadingCopy,
  edition: Edition,
): boolean {
  const pathInEdition = editionPath(edition, path);
  const { kind } = reading.resolve(pathInEdition);
  if (kind !== "absent" && kind !== "gone") return true;
  return [...edition.types.values()].some(({ listPath }) => listPath === pathInEdition);
}

/** The view of a page about contact and keys. */
export function buildBuiltInPage(
  edition: Edition,
  { path, title, blocks }: { path: string; title: string; blocks: readonly Block[] },
): PageView {
  const { language, texts, site } = edition;
  const contact: Anchor = { text: texts.contact.title, to: editionPath(edition, CONTACT_PATH) };
  const home: Anchor = { text: texts.frame.home, to: editionPath(edition, "/") };
  return {
    path: editionPath(edition, path),
    query: "",
    title,
    description: `${title} – ${site.name}.`,
    language,
    textLanguage: language,
    updatedAt: null,
    isIndexed: path === CONTACT_PATH,
    subject: { kind: "other", path: editionPath(edition, path), title },
    trail: path === CONTACT_PATH ? [home] : [home, contact],
    translations: [],
    blocks,
  };
}

export function buildVisitorFormBlocks(form: VisitorForm, line: readonly InlineContent[]): Block[] {
  return [
    { kind: "heading", ...form.heading },
    { kind: "paragraph", line },
    { kind: "form", form, filled: { opened: "", values: {}, problems: [] } },
  ];
}
