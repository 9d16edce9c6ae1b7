import type { ReadingCopy } from "../../library.ts";
import type { Edition } from "../../site/editions.ts";
import type { PageRequest, PageView } from "../view.ts";
import { type BuiltInPage, isBuiltInPageShown } from "./built-in-page.ts";
import { claimPage } from "./claim-page.ts";
import { contactPage, keyRequestedPage, messageSentPage } from "./contact-page.ts";
import { previewPage } from "./preview-page.ts";
import { timelinePage } from "./timeline-page.ts";
import { verificationPage } from "./verification-page.ts";

/** All built-in pages. Menus, `llms.txt`, the sitemap and static copies read this table. */
export const BUILT_IN_PAGES: readonly BuiltInPage[] = [
  timelinePage,
  verificationPage,
  contactPage,
  messageSentPage,
  keyRequestedPage,
  claimPage,
  previewPage,
];

/** The built-in page at a path, if the edition shows it. */
export function buildBuiltInPageAt(
  reading: ReadingCopy,
  { edition, localPath }: { edition: Edition; localPath: string },
  request: PageRequest,
): PageView | null {
  const page = BUILT_IN_PAGES.find(({ path }) => path === localPath);
  return page !== undefined && isBuiltInPageShown(page, reading, edition)
    ? page.view(reading, edition, request)
    : null;
}
