import { requireScope } from "../../../../access/actor.ts";
import { decodePathKeepingReserved } from "../../../../content/addresses/decoded-path.ts";
import { findPage } from "../../../../content/pages/find-page.ts";
import { dayInZone } from "../../../../content/site/time-zone.ts";
import { AppError } from "../../../../errors.ts";
import { renderPageResponse } from "../../../site/page-response.ts";
import { redirectResponse } from "../../page.ts";
import { publicPagePreviewResponse } from "../frame/public-page.ts";
import type { Screen } from "../frame/screen.ts";
import { SITE_VIEW_PATH, viewOnSitePath } from "../frame/view-path.ts";

/**
 * Shows a page of the site as visitors will see it once the site is open. The links on the page stay in
 * this view.
 */
export const siteViewScreen: Screen = {
  method: "GET",
  path: SITE_VIEW_PATH,
  scope: "content:read",
  async answer({ parts, signedIn, query, now, timeZone }) {
    requireScope(signedIn.actor, "content:read");
    const { origin, reading } = parts;
    const to = URL.parse(query.get("to") ?? "/", origin);
    const path = to === null ? null : decodePathKeepingReserved(to.pathname);
    if (to?.origin !== origin || path === null) {
      throw new AppError("invalid", {
        en: "Name a page of the site",
        de: "Nennen Sie eine Seite der Website",
      });
    }
    const answer = await findPage(reading, path, {
      parameter: (name) => to.searchParams.get(name) ?? undefined,
      today: () => dayInZone(timeZone, now.toISOString()),
    });
    if (answer.kind === "moved") return redirectResponse(viewOnSitePath(answer.to));
    if (answer.kind === "elsewhere") {
      throw new AppError("not_found", {
        en: `This address leads to another site: ${answer.url}`,
        de: `Diese Adresse führt zu einer anderen Website: ${answer.url}`,
      });
    }
    if (answer.kind === "missing")
      throw new AppError("not_found", {
        en: "There is no such page",
        de: "Diese Seite gibt es nicht",
      });
    return publicPagePreviewResponse(
      renderPageResponse(answer.view, "html", { reading, origin }),
      insideView,
    );
  },
};

/**
 * Rewrites the page's links to stay in this view. The pattern matches only the link syntax of our
 * own renderer.
 */
function insideView(page: string): string {
  return page.replaceAll(
    /(<a [^>]*?href=")(\/[^"]*)"/g,
    (_, before: string, to: string) => `${before}${viewOnSitePath(to.replaceAll("&amp;", "&"))}"`,
  );
}
