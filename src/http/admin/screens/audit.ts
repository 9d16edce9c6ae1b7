import { readAudit } from "../../../access/audit.ts";
import { html } from "../../../render/html.ts";
import { momentText } from "../texts/choose.ts";
import { screenAnswer } from "./frame.ts";
import type { Screen } from "./screen.ts";

const PATH = "/admin/audit";
const PAGE_ENTRIES = 100;

/** Who did what, latest first. */
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
        html`<li><strong>${action}</strong> ${target}
<div class="state">${momentText(texts, at)} · ${actorName ?? actor}${detail !== null && ` · ${detail}`}</div></li>\n`,
    );
    const content = html`${cards.length === 0 ? html`<p>${texts.audit.none}</p>\n` : html`<ul class="cards">\n${cards}</ul>\n`}${last !== undefined && html`<p><a class="button quiet" href="${PATH}?before=${last.number}">${texts.content.next}</a></p>\n`}`;
    return screenAnswer({ ...visit, url: PATH }, { title: texts.audit.title, content });
  },
};
