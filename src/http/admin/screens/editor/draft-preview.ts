import { previewDraft } from "../../../../content/editing/preview.ts";
import { pageReply } from "../../../site/page-reply.ts";
import { publicPagePreviewAnswer } from "../frame/public-page.ts";
import type { Screen } from "../frame/screen.ts";

/** The draft's page as visitors will see it. */
export const draftPreviewScreen: Screen = {
  method: "GET",
  path: "/admin/drafts/{id}/preview",
  scope: "content:read",
  async answer({ parts, signedIn, now, pathParameter }) {
    const reply = await previewDraft(parts.preview, signedIn.actor, pathParameter("id"), {
      now,
      show: (view, reading) => pageReply(view, "html", { reading, origin: parts.origin }),
    });
    return publicPagePreviewAnswer(reply);
  },
};
