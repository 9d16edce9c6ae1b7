import {
  beginSecondFactor,
  confirmSecondFactor,
  isOn,
  removeSecondFactor,
} from "../../access/people/second-factors.ts";
import { endSession, endSessions, listSessions } from "../../access/people/sessions.ts";
import { changeOwnPassword, confirmPassword } from "../../access/people/sign-in.ts";
import { html, type SafeHtml } from "../../render/html.ts";
import type { AdminRoute, FormPage, SignedInVisit } from "./admin-route.ts";
import { ACCOUNT_PATH, providerLink, SIGN_IN_PATH } from "./entering.ts";
import { FIELDS, formHtml, pageAnswer, redirectAnswer } from "./page.ts";
import { clearSession } from "./session-cookie.ts";

export const CONFIRM_PATH = "/admin/confirm";
const SIGN_OUT_PATH = "/admin/sign-out";
const PASSWORD_PATH = "/admin/account/password";
const SESSIONS_PATH = "/admin/account/sessions";
const FACTOR_PATH = "/admin/account/second-factor";
const CONFIRM_FACTOR_PATH = "/admin/account/second-factor/confirm";
const REMOVE_FACTOR_PATH = "/admin/account/second-factor/remove";

const confirmPage: FormPage<SignedInVisit> = {
  path: CONFIRM_PATH,
  title: "Enter your password again",
  content: ({ parts, token }) =>
    html`${providerLink(parts)}${formHtml(CONFIRM_PATH, { fields: [FIELDS.password], button: "Go on", token })}`,
};

const accountPage: FormPage<SignedInVisit> = {
  path: ACCOUNT_PATH,
  title: "Your account",
  async content(visit) {
    const { parts, token, found } = visit;
    const { admin, actor } = found;
    const factor = await parts.people.secondFactors.of(admin.id);
    return html`<p>${admin.name}, ${admin.email}, ${admin.role}</p>
${formHtml(SIGN_OUT_PATH, { fields: [], button: "Sign out", token })}<h2>Password</h2>
${formHtml(PASSWORD_PATH, { fields: [FIELDS.password, FIELDS.newPassword], button: "Change the password", token })}<h2>Second factor</h2>
${!actor.isConfirmed && html`<p>To change this, <a href="${CONFIRM_PATH}">enter your password again</a>.</p>\n`}${
  isOn(factor)
    ? formHtml(REMOVE_FACTOR_PATH, { fields: [], button: "Turn it off", token })
    : formHtml(FACTOR_PATH, { fields: [], button: "Set up an authenticator app", token })
}<h2>Signed in</h2>
${await sessionsHtml(visit)}`;
  },
};

const secondFactorPage: FormPage<SignedInVisit> = { ...accountPage, title: "Second factor" };

/** What everybody does with their own account. */
export const ACCOUNT_ROUTES: readonly AdminRoute[] = [
  { needs: "session", method: "GET", path: ACCOUNT_PATH, page: accountPage, send: null },
  { needs: "session", method: "GET", path: CONFIRM_PATH, page: confirmPage, send: null },
  {
    needs: "session",
    method: "POST",
    path: CONFIRM_PATH,
    page: confirmPage,
    async send(visit, form) {
      await confirmPassword(visit.parts.people, visit.found, form.value("password"), visit);
      return redirectAnswer(ACCOUNT_PATH);
    },
  },
  {
    needs: "session",
    method: "POST",
    path: SIGN_OUT_PATH,
    page: accountPage,
    async send({ parts, found, now, requestId }) {
      await parts.people.atomically((stores) =>
        endSession(stores, found.actor, found.session, { now, requestId }),
      );
      return redirectAnswer(SIGN_IN_PATH, clearSession());
    },
  },
  {
    needs: "session",
    method: "POST",
    path: PASSWORD_PATH,
    page: accountPage,
    async send(visit, form) {
      const passwords = { present: form.value("password"), next: form.value("new-password") };
      await changeOwnPassword(visit.parts.people, visit.found, passwords, visit);
      return redirectAnswer(ACCOUNT_PATH);
    },
  },
  {
    needs: "session",
    method: "POST",
    path: SESSIONS_PATH,
    page: accountPage,
    async send({ parts, found, now, requestId }, form) {
      const { actor, session } = found;
      const id = form.value("id");
      await parts.people.atomically(async (stores) => {
        if (id !== "") await endSession(stores, actor, { ...session, id }, { now, requestId });
        else await endSessions(stores, actor, actor.adminId, { keep: session.id, now, requestId });
      });
      return redirectAnswer(ACCOUNT_PATH);
    },
  },
  {
    needs: "session",
    method: "POST",
    path: FACTOR_PATH,
    page: accountPage,
    async send({ parts, found, token }) {
      const { secret, uri } = await parts.people.atomically((stores) =>
        beginSecondFactor(stores, found.actor),
      );
      const content = html`<p>Enter this secret into your authenticator app:</p>
<p><code>${secret}</code></p>
<p><a href="${uri}">Open the app on this device</a></p>
<p>Then enter the code that it shows.</p>
${formHtml(CONFIRM_FACTOR_PATH, { fields: [FIELDS.code], button: "Turn it on", token })}`;
      const { name: siteName } = parts.reading.site();
      return pageAnswer({ title: "Second factor", siteName, content }, 200);
    },
  },
  {
    needs: "session",
    method: "POST",
    path: CONFIRM_FACTOR_PATH,
    page: secondFactorPage,
    async send({ parts, found, now, requestId }, form) {
      const codes = await parts.people.atomically((stores) =>
        confirmSecondFactor(stores, found.actor, form.value("code"), { now, requestId }),
      );
      const content = html`<p>From now on sign-in asks for a code. Keep these recovery codes where you find them without your phone; each works once, and they are shown only now.</p>
<ul>
${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ul>
<p><a href="${ACCOUNT_PATH}">Your account</a></p>`;
      const { name: siteName } = parts.reading.site();
      return pageAnswer({ title: "Recovery codes", siteName, content }, 200);
    },
  },
  {
    needs: "session",
    method: "POST",
    path: REMOVE_FACTOR_PATH,
    page: accountPage,
    async send({ parts, found, now, requestId }) {
      const { actor } = found;
      await parts.people.atomically((stores) =>
        removeSecondFactor(stores, actor, actor.adminId, { now, requestId }),
      );
      return redirectAnswer(ACCOUNT_PATH);
    },
  },
];

async function sessionsHtml({ parts, found, token, now }: SignedInVisit): Promise<SafeHtml> {
  const sessions = await listSessions(parts.people, found.actor, found.admin.id, now);
  const lines = sessions.map(({ id, device, network, usedAt }) => {
    const isThis = id === found.session.id;
    const form = { fields: [], button: "End this session", token, hidden: [["id", id]] } as const;
    return html`<li>${device} at ${network}, last used ${usedAt}${isThis ? " (this browser)" : formHtml(SESSIONS_PATH, form)}</li>\n`;
  });
  return html`<ul>
${lines}</ul>
${formHtml(SESSIONS_PATH, { fields: [], button: "End all others", token })}`;
}
