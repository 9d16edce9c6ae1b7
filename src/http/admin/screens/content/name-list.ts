import { findNames } from "../../../../content/desk/finding.ts";
import { wholeAnswer } from "../../../exchange.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import type { Screen } from "../frame/screen.ts";
import { screenTypes } from "../frame/screen-types.ts";

const NAMES_SHOWN = 10;

/**
 * Autocompletes names: `?q=` as typed so far and `?type=`, repeatable. Responds with `{ items: [{
 * id, title, path, type, label, status, statusLabel, summary }], isCurrent }`, at most ten items,
 * best first; `label` and `statusLabel` are in the person's language.
 */
export const nameList: Screen = {
  method: "GET",
  path: "/admin/names",
  scope: "content:read",
  async answer({ texts, parts, found, query }) {
    const stores = { ...parts.stores, deskIndex: parts.deskIndex };
    const text = query.get("q")?.slice(0, 200) ?? "";
    const asked = { text, types: query.getAll("type").filter(Boolean), limit: NAMES_SHOWN };
    const { items, isCurrent } = await findNames(stores, found.actor, asked);
    const types = await screenTypes({ parts, texts });
    const shown = items.map(({ id, title, path, type, status, summary }) => ({
      ...{ id, title, path, type, status, summary },
      label: types.get(type)?.label ?? type,
      statusLabel: texts.status[status],
    }));
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return wholeAnswer(200, headers, JSON.stringify({ items: shown, isCurrent }));
  },
};
