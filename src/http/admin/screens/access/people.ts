import {
  type AdminWithCode,
  inviteAdmin,
  renewAdminCode,
} from "../../../../access/people/admin-codes.ts";
import {
  adminEmailSchema,
  adminNameSchema,
  changeAdmin,
  disableAdmin,
  listAdmins,
} from "../../../../access/people/admins.ts";
import { removeAllPasskeysOfAccount } from "../../../../access/people/passkeys/passkeys.ts";
import type { Admin } from "../../../../access/people/people-stores.ts";
import { ROLES, roleSchema } from "../../../../access/people/roles.ts";
import { removeSecondFactor } from "../../../../access/people/second-factors.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import { accountChangeContextOf } from "../../admin-route.ts";
import { redirectAfterSave } from "../../page.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";
import { nextPageLink } from "../frame/cards.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import { optionElement } from "../frame/option.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";

const SCREEN_PATH = "/admin/people";
const PEOPLE_PER_PAGE = 100;

const list: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "admins:manage",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const t = texts.people;
    const { admins, hasMore } = await listAdmins(parts.people.admins, signedIn.actor, {
      after: query.get("after"),
      limit: PEOPLE_PER_PAGE,
    });
    const last = hasMore ? admins.at(-1) : undefined;
    const invitation = html`<p class="hint">${t.roleHints}</p><div class="field"><label for="name">${t.name}</label><input id="name" name="name" required maxlength="100"></div><div class="field"><label for="email">${t.email}</label><input id="email" name="email" type="email" required></div><div class="field"><label for="role">${t.role}</label><select id="role" name="role">${roleOptions(texts, "editor")}</select></div>`;
    const ids = admins.map(({ id }) => id);
    const factorHolders = await parts.people.secondFactors.confirmedAmong(ids);
    const passkeyHolders = await parts.people.passkeys.holdersAmong(ids);
    const cards = admins.map((admin) =>
      personCard(visit, admin, {
        hasFactor: factorHolders.has(admin.id),
        hasPasskeys: passkeyHolders.has(admin.id),
      }),
    );
    const content = html`<ul class="cards">
${cards}</ul>
${nextPageLink(texts, last === undefined ? null : `${SCREEN_PATH}?after=${last.id}`)}<h2>${t.invite}</h2>
${actionForm(visit, SCREEN_PATH, { button: t.invite, content: invitation })}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

const invite: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "admins:manage",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const name = adminNameSchema.safeParse(form.value("name"));
    const email = adminEmailSchema.safeParse(form.value("email"));
    const role = roleSchema.safeParse(form.value("role"));
    if (!name.success)
      throw new AppError("invalid", {
        en: "Give a name, with at most 100 characters",
        de: "Geben Sie einen Namen mit höchstens 100 Zeichen an",
      });
    if (!email.success)
      throw new AppError("invalid", {
        en: "Give an e-mail address, as name@example.org",
        de: "Geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.org",
      });
    if (!role.success)
      throw new AppError("invalid", {
        en: `Choose a role: ${ROLES.join(", ")}`,
        de: "Wählen Sie eine Rolle",
      });
    const input = { name: name.data, email: email.data, role: role.data };
    const adminWithCode = await parts.people.atomically((stores) =>
      inviteAdmin(stores, signedIn.actor, input, accountChangeContextOf({ parts, now, requestId })),
    );
    return codeResponse(visit, adminWithCode);
  },
};

const renew: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/code`,
  scope: "admins:manage",
  async answer(visit) {
    const { parts, signedIn, now, requestId } = visit;
    const adminWithCode = await parts.people.atomically((stores) =>
      renewAdminCode(
        stores,
        signedIn.actor,
        visit.pathParameter("id"),
        accountChangeContextOf({ parts, now, requestId }),
      ),
    );
    return codeResponse(visit, adminWithCode);
  },
};

const change: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}`,
  scope: "admins:manage",
  async answer({ parts, signedIn, now, requestId, pathParameter }, form) {
    const role = roleSchema.safeParse(form.value("role"));
    const state = form.value("state");
    await parts.people.atomically(async (stores) => {
      const mailContext = accountChangeContextOf({ parts, now, requestId });
      if (state === "disabled")
        return await disableAdmin(stores, signedIn.actor, pathParameter("id"), mailContext);
      const entered = {
        ...(role.success ? { role: role.data } : {}),
        ...(state === "active" ? { state: "active" as const } : {}),
      };
      return await changeAdmin(stores, signedIn.actor, pathParameter("id"), {
        change: entered,
        ...mailContext,
      });
    });
    return redirectAfterSave(SCREEN_PATH);
  },
};

/** Turns off the second factor of a person who lost the phone and the recovery codes. */
const removeFactor: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/second-factor`,
  scope: "admins:manage",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    const mailContext = accountChangeContextOf({ parts, now, requestId });
    await parts.people.atomically((stores) =>
      removeSecondFactor(stores, signedIn.actor, pathParameter("id"), mailContext),
    );
    return redirectAfterSave(SCREEN_PATH);
  },
};

/** Removes all passkeys of a person whose device was lost or stolen. */
const removeAllPasskeys: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/passkeys`,
  scope: "admins:manage",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    const mailContext = accountChangeContextOf({ parts, now, requestId });
    await parts.people.atomically((stores) =>
      removeAllPasskeysOfAccount(stores, signedIn.actor, pathParameter("id"), mailContext),
    );
    return redirectAfterSave(SCREEN_PATH);
  },
};

export const peopleScreens: readonly Screen[] = [
  list,
  invite,
  change,
  renew,
  removeFactor,
  removeAllPasskeys,
];

function personCard(
  visit: ScreenVisit,
  admin: Admin,
  { hasFactor, hasPasskeys }: { hasFactor: boolean; hasPasskeys: boolean },
): SafeHtml {
  const { texts, signedIn } = visit;
  const t = texts.people;
  const { id, name, email, role, state, lastLoginAt } = admin;
  const path = `${SCREEN_PATH}/${id}`;
  const login = lastLoginAt === null ? texts.keys.never : dateAndTimeText(visit, lastLoginAt);
  const isSelf = id === signedIn.admin.id;
  const isDisabled = state === "disabled";
  const removeFactorForm =
    hasFactor &&
    actionForm(visit, `${path}/second-factor`, {
      button: t.removeFactor,
      isQuiet: true,
      content: html`<p class="hint">${t.removeFactorHint}</p>`,
    });
  const removePasskeysForm =
    hasPasskeys &&
    actionForm(visit, `${path}/passkeys`, {
      button: texts.entering.passkeys.removeAll,
      isQuiet: true,
      content: html`<p class="hint">${texts.entering.passkeys.removeAllHint}</p>`,
    });
  const actions = html`<div class="actions">${actionForm(visit, path, { button: t.change, isQuiet: true, content: html`<label>${t.role} <select name="role">${roleOptions(texts, role)}</select></label>` })}${!isDisabled && actionForm(visit, `${path}/code`, { button: t.newCode, isQuiet: true, content: html`<p class="hint">${t.newCodeHint}</p>` })}${removeFactorForm}${removePasskeysForm}${actionForm(visit, path, { button: isDisabled ? t.enable : t.disable, isQuiet: true, hidden: { state: isDisabled ? "active" : "disabled" } })}</div>`;
  return html`<li><strong>${name}</strong> <span class="tag">${t.states[state]}</span>
<div class="state">${email} · ${t.roles[role]} · ${t.lastLogin}: ${login}</div>
${!isSelf && actions}</li>
`;
}

function roleOptions(texts: Texts, selected: string): SafeHtml[] {
  return ROLES.map((role) => optionElement(role, texts.people.roles[role], role === selected));
}

function codeResponse(
  visit: ScreenVisit,
  { admin: { name }, code, codeExpiresAt }: AdminWithCode,
): HttpResponse {
  const t = visit.texts.people;
  const claimUrl = `${visit.parts.origin}/admin/claim`;
  const content =
    code === null
      ? html`<p>${t.mailed}</p>\n`
      : html`<p>${t.code} <strong>${claimUrl}</strong></p>\n<p class="code">${code}</p>\n<p>${t.codeEnds(dateAndTimeText(visit, codeExpiresAt))}</p>\n`;
  const back = html`<p><a href="${SCREEN_PATH}">${visit.texts.lead}</a></p>\n`;
  return screenResponse(
    { ...visit, url: SCREEN_PATH },
    { title: name, content: html`${content}${back}` },
  );
}
