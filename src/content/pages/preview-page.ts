import type { Edition } from "../site/editions.ts";
import { visitorForms } from "./contact-forms.ts";
import { builtInPage, visitorFormBlocks } from "./contact-page.ts";
import type { PageView } from "./view.ts";

export const PREVIEW_PATH = "/preview";

/** The page with the form for a preview code, which shows a draft to people without an account. */
export function previewPage(edition: Edition): PageView {
  const { title, intro } = edition.texts.preview;
  const blocks = visitorFormBlocks(visitorForms(edition).preview, [intro]);
  return builtInPage(edition, { path: PREVIEW_PATH, title, blocks });
}
