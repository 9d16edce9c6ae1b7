import { saveItem } from "../../../../content/editing/editing.ts";
import { describeIssue } from "../../../../content/items/issue-messages.ts";
import { itemInputSchema } from "../../../../content/items/item.ts";
import { invalidInputError, problemsOf } from "../../../../content/items/validation.ts";
import { responseWithContentLength } from "../../../exchange.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import type { Screen } from "../frame/screen.ts";

/** Creates an item with nothing but a title, so that a draft can link to it. */
export const createItemFromTitleScreen: Screen = {
  method: "POST",
  path: "/admin/names",
  scope: "content:write",
  async answer({ parts, signedIn, now, requestId }, form) {
    const entered = { type: form.value("type"), title: form.value("title") };
    const input = itemInputSchema.safeParse(entered, { error: describeIssue });
    if (!input.success) throw invalidInputError("the item", problemsOf(input.error));
    const { item } = await parts.atomically(({ content }) =>
      saveItem(content, signedIn.actor, input.data, now, { expects: "new", requestId }),
    );
    const { id, title, path, status } = item;
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return responseWithContentLength(200, headers, JSON.stringify({ id, title, path, status }));
  },
};
