import { requireExistingItem } from "../../../../content/editing/item-to-change.ts";
import { findReferencesTo } from "../../../../content/editing/references.ts";
import { type WithdrawalKind, withdrawItem } from "../../../../content/editing/withdrawing.ts";
import { type Item, type ItemOutline, STATUS_TRANSITIONS } from "../../../../content/items/item.ts";
import { findDocument } from "../../../../discovery/documents.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { redirectAfterItemChange } from "../../page.ts";
import { messageInAllLanguages } from "../../texts/choose.ts";
import { findChosenItemId } from "../editor/chosen-item.ts";
import { itemPickerField } from "../editor/relation-field.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { PICKER_SCRIPT_PATH } from "../frame/scripts.ts";
import { parseWholeNumber } from "../frame/whole-number.ts";
import { referencesToItemHtml } from "./reference-list.ts";

const SCREEN_PATH = "/admin/content";
const REFERRERS_SHOWN_MAX = 10;
const STATUS_AFTER = { draft: "draft", gone: "archived", delete: "deleted" } as const;

/** Shows what points to an item, and asks how its address should respond after the withdrawal. */
const step: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}/withdraw`,
  scope: "content:write",
  async answer(visit) {
    const { texts, parts, signedIn } = visit;
    const id = visit.pathParameter("id");
    const item = await requireExistingItem(parts.stores.content, id);
    const stores = { ...parts.stores, deskIndex: parts.deskIndex };
    const references = await findReferencesTo(stores, signedIn.actor, id, {
      limit: REFERRERS_SHOWN_MAX,
    });
    const t = texts.content.withdraw;
    const isDeletion = canOnlyBeDeleted(visit, item);
    const name = item.title === "" ? texts.content.untitled : item.title;
    const title = isDeletion ? t.deleteTitle(name) : t.title(name);
    const content = html`${await referencesToItemHtml(visit, references)}${withdrawForm(visit, item)}
<p><a href="${SCREEN_PATH}/${id}">${t.back}</a></p>`;
    const scripts = [PICKER_SCRIPT_PATH];
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title, content, scripts });
  },
};

const withdraw: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/withdraw`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const chosen = form.value("how");
    const to = chosen === "lead" ? await redirectTarget(visit, form) : "";
    const how: WithdrawalKind | undefined =
      chosen === "lead"
        ? "delete"
        : (["draft", "gone", "delete"] as const).find((name) => name === chosen);
    if (how === undefined)
      throw new AppError("invalid", {
        en: `There is no way to withdraw "${chosen}"`,
        de: "Wählen Sie, was mit der Adresse geschehen soll",
      });
    const site = { origin: parts.origin, isDocument: isDocumentPath };
    const options = {
      ...{ how, now, requestId, revision: parseWholeNumber(form.value("revision")) },
      // The previous step has shown the references, so they are not checked again.
      references: null,
    };
    const id = visit.pathParameter("id");
    await parts.atomically(({ content, desk }) => {
      const leadTo = chosen === "lead" ? { leadTo: { to, desk, ...site } } : {};
      return withdrawItem(content, signedIn.actor, id, { ...options, ...leadTo });
    });
    return redirectAfterItemChange(id);
  },
};

export const withdrawScreens: readonly Screen[] = [step, withdraw];

/** The new target of the item's address: the id of an item, or a path of the site. */
async function redirectTarget(visit: ScreenVisit, form: SentForm): Promise<string> {
  const typed = form.value("a.leadTo").trim();
  if (typed.startsWith("/")) return typed;
  const id = await findChosenItemId(visit, form, { name: "leadTo", type: "" });
  if (id === null)
    throw new AppError(
      "invalid",
      messageInAllLanguages(({ content }) => content.withdraw.leadMissing),
    );
  return id;
}

/** The ways in which this person is allowed to withdraw an item in its current status. */
export function allowedWithdrawals(
  { signedIn }: Pick<ScreenVisit, "signedIn">,
  item: Pick<ItemOutline, "status">,
): WithdrawalKind[] {
  const { scopes } = signedIn.actor;
  if (!scopes.includes("content:write")) return [];
  const mayPublish = scopes.includes("content:publish");
  return (["draft", "gone", "delete"] as const).filter((how) => {
    if (!STATUS_TRANSITIONS[item.status].includes(STATUS_AFTER[how])) return false;
    return mayPublish || (how === "delete" && item.status === "draft");
  });
}

/** Whether deletion is the only option, because the item was never public and has no address to withdraw. */
export function canOnlyBeDeleted(
  visit: Pick<ScreenVisit, "signedIn">,
  item: Pick<ItemOutline, "status">,
): boolean {
  return item.status === "draft" && allowedWithdrawals(visit, item).join() === "delete";
}

function withdrawForm(visit: ScreenVisit, item: Item): SafeHtml {
  const { texts } = visit;
  const t = texts.item;
  if (canOnlyBeDeleted(visit, item)) {
    return actionForm(visit, `${SCREEN_PATH}/${item.id}/withdraw`, {
      button: t.delete,
      hidden: { revision: item.revision, how: "delete" },
      content: html`<p class="hint">${t.deleteHint}</p>`,
    });
  }
  const hints = { draft: t.unpublishHint, gone: t.archiveHint, delete: t.deleteHint };
  const labels = { draft: t.unpublish, gone: t.archive, delete: t.delete };
  const ways = allowedWithdrawals(visit, item);
  const choices = ways.map((how, position) =>
    choice(how, labels[how], { hint: hints[how], position }),
  );
  const { lead, leadHint, leadTo, leadToHint } = texts.content.withdraw;
  const leadField = itemPickerField("leadTo", { label: leadTo, hint: leadToHint }, texts);
  const mayLead = ways.includes("delete") && item.status !== "draft";
  return actionForm(visit, `${SCREEN_PATH}/${item.id}/withdraw`, {
    button: texts.content.withdraw.apply,
    hidden: { revision: item.revision },
    content: html`<h2>${texts.content.withdraw.answer}</h2>
${choices}${mayLead && html`${choice("lead", lead, { hint: leadHint, position: choices.length })}${leadField}`}`,
  });
}

function choice(
  value: string,
  label: string,
  { hint, position }: { hint: string; position: number },
): SafeHtml {
  return html`<label class="choice"><input type="radio" name="how" value="${value}"${position === 0 && html` checked`}><span>${label}<br><span class="hint">${hint}</span></span></label>\n`;
}

function isDocumentPath(path: string): boolean {
  return findDocument(path) !== null;
}
