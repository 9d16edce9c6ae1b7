import { claimAccountWithCode, createFirstOwner } from "../../access/people/admin-codes.ts";
import { adminEmailSchema, adminNameSchema } from "../../access/people/admins.ts";
import { saveScreenLanguage } from "../../access/people/digest-settings.ts";
import { endSession, findSession, type SessionWithToken } from "../../access/people/sessions.ts";
import { completeSignIn, signIn } from "../../access/people/sign-in.ts";
import { AppError } from "../../errors.ts";
import { html, type SafeHtml } from "../../render/html.ts";
import type { HttpResponse } from "../exchange.ts";
import type { AdminRoute, AdminVisit, FormPage, SignedInVisit } from "./admin-route.ts";
import { formHtml, redirectResponse } from "./page.ts";
import { passkeySignInForm } from "./passkey-forms.ts";
import { PASSKEYS_SCRIPT_PATH } from "./screens/frame/scripts.ts";
import { sessionCookieHeader } from "./session-cookie.ts";

export const ACCOUNT_PATH = "/admin/account";
/** Path of the page that asks for the password again. */
export const PASSWORD_CONFIRMATION_PATH = "/admin/confirm";
export const DESK_PATH = "/admin/desk";
export const SIGN_IN_PATH = "/admin/sign-in";
export const SIGN_OUT_PATH = "/admin/sign-out";
export const SECOND_FACTOR_PATH = "/admin/second-factor";
export const SIGN_IN_PROVIDER_PATH = "/admin/provider";
const CLAIM_PATH = "/admin/claim";
const SETUP_PATH = "/admin/setup";

export const signInPage: FormPage<AdminVisit> = {
  path: SIGN_IN_PATH,
  scripts: [PASSKEYS_SCRIPT_PATH],
  title: ({ entering }) => entering.signIn,
  async content(visit) {
    const t = visit.texts.entering;
    const accounts = await visit.parts.people.admins.page({ after: null, limit: 1 });
    const setUp =
      accounts.length === 0 && html`<p><a class="button" href="${SETUP_PATH}">${t.setUp}</a></p>\n`;
    return html`${setUp}${signInProviderLink(visit)}${formHtml({ ...visit, token: null }, SIGN_IN_PATH, { fields: ["email", "password"], button: t.signIn })}${passkeySignInForm(visit)}<p><a href="${CLAIM_PATH}">${t.haveCode}</a></p>
<p class="hint">${t.lost}</p>\n`;
  },
};

const claimPage: FormPage<AdminVisit> = {
  path: CLAIM_PATH,
  title: ({ entering }) => entering.claim,
  content: ({ texts }) =>
    formHtml({ texts, token: null }, CLAIM_PATH, {
      fields: ["code", "newPassword"],
      button: texts.entering.save,
    }),
};

const setupPage: FormPage<AdminVisit> = {
  path: SETUP_PATH,
  title: ({ entering }) => entering.setUp,
  content: ({ texts }) =>
    html`<p class="hint">${texts.entering.setUpHint}</p>
${formHtml({ texts, token: null }, SETUP_PATH, {
  fields: ["code", "email", "name", "newPassword"],
  button: texts.entering.createAccount,
})}`,
};

const secondFactorPage: FormPage<SignedInVisit> = {
  path: SECOND_FACTOR_PATH,
  scripts: [PASSKEYS_SCRIPT_PATH],
  title: ({ entering }) => entering.secondFactor,
  content: (visit) =>
    html`<p>${visit.texts.entering.enterCode}</p>
${formHtml(visit, SECOND_FACTOR_PATH, { fields: ["code"], button: visit.texts.entering.continue })}${passkeySignInForm(visit)}`,
};

export const SIGN_IN_ROUTES: readonly AdminRoute[] = [
  { needs: "nothing", method: "GET", path: SIGN_IN_PATH, page: signInPage, handlePost: null },
  {
    needs: "nothing",
    method: "POST",
    path: SIGN_IN_PATH,
    page: signInPage,
    async handlePost(visit, form) {
      const input = { email: form.value("email"), password: form.value("password") };
      return await startBrowserSession(visit, await signIn(visit.parts.people, input, visit));
    },
  },
  { needs: "nothing", method: "GET", path: CLAIM_PATH, page: claimPage, handlePost: null },
  {
    needs: "nothing",
    method: "POST",
    path: CLAIM_PATH,
    page: claimPage,
    async handlePost(visit, form) {
      const input = { code: form.value("code"), password: form.value("new-password") };
      const { people, origin, sendsMail } = visit.parts;
      return await startBrowserSession(
        visit,
        await claimAccountWithCode(people, input, { ...visit, origin, sendsMail }),
      );
    },
  },
  { needs: "nothing", method: "GET", path: SETUP_PATH, page: setupPage, handlePost: null },
  {
    needs: "nothing",
    method: "POST",
    path: SETUP_PATH,
    page: setupPage,
    async handlePost(visit, form) {
      const email = adminEmailSchema.safeParse(form.value("email"));
      const name = adminNameSchema.safeParse(form.value("name"));
      if (!email.success)
        throw new AppError("invalid", {
          en: "Give an e-mail address, as name@example.org",
          de: "Geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.org",
        });
      if (!name.success)
        throw new AppError("invalid", {
          en: "Give your name, with at most 100 characters",
          de: "Geben Sie Ihren Namen mit höchstens 100 Zeichen an",
        });
      const input = {
        code: form.value("code"),
        password: form.value("new-password"),
        email: email.data,
        name: name.data,
      };
      return await startBrowserSession(
        visit,
        await createFirstOwner(visit.parts.people, input, visit),
      );
    },
  },
  {
    needs: "password",
    method: "GET",
    path: SECOND_FACTOR_PATH,
    page: secondFactorPage,
    handlePost: null,
  },
  {
    needs: "password",
    method: "POST",
    path: SECOND_FACTOR_PATH,
    page: secondFactorPage,
    async handlePost(visit, form) {
      const { people } = visit.parts;
      const opened = await completeSignIn(people, visit.token, form.value("code"), visit);
      await saveScreenLanguage(people, opened.session.adminId, visit.texts.language);
      return redirectResponse(DESK_PATH, sessionCookieHeader(opened.token));
    },
  },
];

/** A link to the sign-in provider, if there is one. */
export function signInProviderLink({ parts, texts }: AdminVisit): SafeHtml | null {
  if (parts.provider === null) return null;
  const label = texts.entering.signInAt(parts.provider.name);
  return html`<p><a class="button" href="${SIGN_IN_PROVIDER_PATH}">${label}</a></p>\n`;
}

/** Sets the cookie of the new session, and ends the browser's previous session. */
export async function startBrowserSession(
  visit: AdminVisit,
  { token, session }: SessionWithToken,
): Promise<HttpResponse> {
  await endBrowserSession(visit);
  if (session.stage === "second_factor") {
    return redirectResponse(SECOND_FACTOR_PATH, sessionCookieHeader(token));
  }
  await saveScreenLanguage(visit.parts.people, session.adminId, visit.texts.language);
  return redirectResponse(DESK_PATH, sessionCookieHeader(token));
}

/** Ends the browser's session, unless another request has ended it, as after a double click. */
export async function endBrowserSession({
  parts,
  token,
  now,
  requestId,
}: AdminVisit): Promise<void> {
  if (token === null) return;
  await parts.people.atomically(async (stores) => {
    const found = await findSession(stores, token, now);
    if (found !== null) await endSession(stores, found.actor, found.session, { now, requestId });
  });
}
