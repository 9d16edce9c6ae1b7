import type { Edition } from "../../site/editions.ts";
import { buildVisitorForms } from "../contact-forms.ts";
import type { PageView } from "../view.ts";
import {
  type BuiltInPage,
  buildBuiltInPage,
  buildVisitorFormBlocks,
  UNLISTED_PAGE,
} from "./built-in-page.ts";

export const PREVIEW_PATH = "/preview";

/** The page with the form for a preview code, which shows a draft to people without an account. */
export const previewPage: BuiltInPage = {
  ...UNLISTED_PAGE,
  path: PREVIEW_PATH,
  title: (texts) => texts.preview.title,
  view: (_reading, edition) => buildPreviewPage(edition),
};

export function buildPreviewPage(edition: Edition): PageView {
  const { title, intro } = edition.texts.preview;
  const blocks = buildVisitorFormBlocks(buildVisitorForms(edition).preview, [intro]);
  return buildBuiltInPage(edition, { path: PREVIEW_PATH, title, blocks });
}
