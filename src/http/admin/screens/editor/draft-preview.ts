import { previewDraft } from "../../../../content/editing/preview.ts";
import { renderPageResponse } from "../../../site/page-response.ts";
import { publicPagePreviewResponse } from "../frame/public-page.ts";
import type { Screen } from "../frame/screen.ts";

/** The draft's page as visitors will see it. */
export const draftPreviewScreen: Screen = {
  method: "GET",
  path: "/admin/drafts/{id}/preview",
  scope: "content:read",
  async answer({ parts, signedIn, now, pathParameter }) {
    const response = await previewDraft(parts.preview, signedIn.actor, pathParameter("id"), {
      now,
      show: (view, reading) => renderPageResponse(view, "html", { reading, origin: parts.origin }),
    });
    return publicPagePreviewResponse(response);
  },
};
