import { readAudit } from "../../../../access/audit.ts";
import { html } from "../../../../render/html.ts";
import { momentText } from "../../texts/choose.ts";
import { cardList, nextPageLink } from "../frame/cards.ts";
import { screenAnswer } from "../frame/frame.ts";
import type { Screen } from "../frame/screen.ts";

const PATH = "/admin/audit";
const PAGE_ENTRIES = 100;

/** The audit log, latest entry first. */
export const auditLog: Screen = {
  method: "GET",
  path: PATH,
  scope: "audit:read",
  async answer(visit) {
    const { texts, parts, found, query } = visit;
    const before = Number(query.get("before") ?? 0);
    const entries = await readAudit(parts.stores.audit, found.actor, {
      limit: PAGE_ENTRIES,
      ...(Number.isSafeInteger(before) && before > 0 ? { before } : {}),
    });
    const last = entries.length === PAGE_ENTRIES ? entries.at(-1) : undefined;
    const cards = entries.map(
      ({ at, actor, actorName, action, target, detail }) =>
        html`<li><strong>${texts.actions[action] ?? action}</strong> ${target}
<div class="state">${momentText(visit, at)} · ${actorName ?? actor}${detail !== null && ` · ${detail}`}</div></li>\n`,
    );
    const content = html`${cardList(cards, texts.audit.none)}${nextPageLink(texts, last === undefined ? null : `${PATH}?before=${last.number}`)}`;
    return screenAnswer({ ...visit, url: PATH }, { title: texts.audit.title, content });
  },
};
