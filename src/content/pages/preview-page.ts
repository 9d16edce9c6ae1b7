import type { Edition } from "../site/editions.ts";
import { buildVisitorForms } from "./contact-forms.ts";
import { buildBuiltInPage, buildVisitorFormBlocks } from "./contact-page.ts";
import type { PageView } from "./view.ts";

export const PREVIEW_PATH = "/preview";

/** The page with the form for a preview code, which shows a draft to people without an account. */
export function buildPreviewPage(edition: Edition): PageView {
  const { title, intro } = edition.texts.preview;
  const blocks = buildVisitorFormBlocks(buildVisitorForms(edition).preview, [intro]);
  return buildBuiltInPage(edition, { path: PREVIEW_PATH, title, blocks });
}
