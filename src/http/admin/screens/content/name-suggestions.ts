import { autocompleteItems } from "../../../../content/desk/finding.ts";
import { responseWithContentLength } from "../../../exchange.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import type { Screen } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";

const NAMES_MAX = 10;

/**
 * Autocompletes names. `?q=` is the text typed so far; `?type=` may be repeated. Responds with at
 * most ten items, best first: `{ items: [{ id, title, path, type, label, status, statusLabel,
 * summary }], isCurrent }`. `label` and `statusLabel` are in the person's language.
 */
export const nameSuggestionScreen: Screen = {
  method: "GET",
  path: "/admin/names",
  scope: "content:read",
  async answer({ texts, parts, signedIn, query }) {
    const stores = { ...parts.stores, deskIndex: parts.deskIndex };
    const text = query.get("q")?.slice(0, 200) ?? "";
    const options = { text, types: query.getAll("type").filter(Boolean), limit: NAMES_MAX };
    const { items, isCurrent } = await autocompleteItems(stores, signedIn.actor, options);
    const types = await readTypesWithScreenLabels({ parts, texts });
    const rows = items.map(({ id, title, path, type, status, summary }) => ({
      ...{ id, title, path, type, status, summary },
      label: types.get(type)?.label ?? type,
      statusLabel: texts.status[status],
    }));
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return responseWithContentLength(200, headers, JSON.stringify({ items: rows, isCurrent }));
  },
};
