import { setDigestEnabled } from "../../access/people/digest-settings.ts";
import {
  changeOwnPassword,
  confirmIdentityWithPassword,
} from "../../access/people/own-password.ts";
import { endSession, endSessionsOfAccount, listSessions } from "../../access/people/sessions.ts";
import { html, type SafeHtml } from "../../render/html.ts";
import type { AdminRoute, AdminVisit, FormPage, SignedInVisit } from "./admin-route.ts";
import { deviceName } from "./device-name.ts";
import { formHtml, redirectAfterSave, redirectResponse } from "./page.ts";
import { passkeySignInForm } from "./passkey-forms.ts";
import { passkeyRoutes, passkeysHtml } from "./passkeys.ts";
import { PASSKEYS_SCRIPT_PATH } from "./screens/frame/scripts.ts";
import { secondFactorSectionHtml, secondFactorSetupRoutes } from "./second-factor.ts";
import { signOutHeader } from "./session-cookie.ts";
import {
  ACCOUNT_PATH,
  endBrowserSession,
  PASSWORD_CONFIRMATION_PATH,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  signInProviderLink,
} from "./sign-in.ts";
import { dateAndTimeText } from "./texts/choose.ts";

const PASSWORD_PATH = "/admin/account/password";
const SESSIONS_PATH = "/admin/account/sessions";
const DIGEST_PATH = "/admin/account/digest";

const confirmPage: FormPage<SignedInVisit> = {
  path: PASSWORD_CONFIRMATION_PATH,
  scripts: [PASSKEYS_SCRIPT_PATH],
  title: ({ account }) => account.confirm,
  content: (visit) =>
    html`<p class="hint">${visit.texts.keys.confirm}</p>\n${signInProviderLink(visit)}${formHtml(visit, passwordConfirmationPath(returnPath(visit)), { fields: ["password"], button: visit.texts.entering.continue })}${passkeySignInForm(visit)}`,
};

const accountPage: FormPage<SignedInVisit> = {
  path: ACCOUNT_PATH,
  scripts: [PASSKEYS_SCRIPT_PATH],
  title: ({ account }) => account.title,
  async content(visit) {
    const { parts, signedIn, texts } = visit;
    const { admin } = signedIn;
    const t = texts.account;
    return html`<p>${admin.name}, ${admin.email}, ${texts.people.roles[admin.role]}</p>
${formHtml(visit, SIGN_OUT_PATH, { fields: [], button: t.signOut, isQuiet: true })}<h2>${texts.entering.fields.password}</h2>
${formHtml(visit, PASSWORD_PATH, { fields: ["password", "newPassword"], button: t.changePassword })}${await secondFactorSectionHtml(visit)}${await passkeysHtml(visit)}${parts.sendsMail && (await digestHtml(visit))}<h2>${t.sessions}</h2>
${await sessionsHtml(visit)}`;
  },
};

/** Routes with which people manage their own account. */
export const ACCOUNT_ROUTES: readonly AdminRoute[] = [
  { needs: "session", method: "GET", path: ACCOUNT_PATH, page: accountPage, handlePost: null },
  {
    needs: "session",
    method: "GET",
    path: PASSWORD_CONFIRMATION_PATH,
    page: confirmPage,
    handlePost: null,
  },
  {
    needs: "session",
    method: "POST",
    path: PASSWORD_CONFIRMATION_PATH,
    page: confirmPage,
    async handlePost(visit, form) {
      await confirmIdentityWithPassword(
        visit.parts.people,
        visit.signedIn,
        form.value("password"),
        visit,
      );
      return redirectResponse(returnPath(visit));
    },
  },
  {
    needs: "session",
    method: "POST",
    path: SIGN_OUT_PATH,
    page: accountPage,
    async handlePost(visit) {
      await endBrowserSession(visit);
      return redirectResponse(SIGN_IN_PATH, signOutHeader());
    },
  },
  {
    needs: "session",
    method: "POST",
    path: PASSWORD_PATH,
    page: accountPage,
    async handlePost(visit, form) {
      const passwords = { current: form.value("password"), next: form.value("new-password") };
      const { people, origin, sendsMail } = visit.parts;
      const context = { ...visit, origin, sendsMail };
      await changeOwnPassword(people, visit.signedIn, passwords, context);
      return redirectAfterSave(ACCOUNT_PATH);
    },
  },
  {
    needs: "session",
    method: "POST",
    path: SESSIONS_PATH,
    page: accountPage,
    async handlePost({ parts, signedIn, now, requestId }, form) {
      const { actor, session } = signedIn;
      const id = form.value("id");
      await parts.people.atomically(async (stores) => {
        if (id !== "") await endSession(stores, actor, { ...session, id }, { now, requestId });
        else
          await endSessionsOfAccount(stores, actor, actor.adminId, {
            keep: session.id,
            now,
            requestId,
          });
      });
      return redirectResponse(ACCOUNT_PATH);
    },
  },
  ...secondFactorSetupRoutes(accountPage),
  ...passkeyRoutes(accountPage),
  {
    needs: "session",
    method: "POST",
    path: DIGEST_PATH,
    page: accountPage,
    async handlePost({ parts, signedIn, now, requestId }, form) {
      const isOn = form.value("digest") === "on";
      await parts.people.atomically((stores) =>
        setDigestEnabled(stores, signedIn.actor, { isOn, now, requestId }),
      );
      return redirectResponse(ACCOUNT_PATH);
    },
  },
];

/** The address of the page that asks for the password and then redirects to `to`. */
export function passwordConfirmationPath(to: string): string {
  return to === ACCOUNT_PATH
    ? PASSWORD_CONFIRMATION_PATH
    : `${PASSWORD_CONFIRMATION_PATH}?${new URLSearchParams({ to })}`;
}

/**
 * The path to redirect to after the password is entered. Accepts only paths of screens, so that a
 * link cannot redirect to another site.
 */
function returnPath({ address }: Pick<AdminVisit, "address">): string {
  const to = address.searchParams.get("to") ?? "";
  return /^\/admin(?:\/[\w-]+)+$/.test(to) ? to : ACCOUNT_PATH;
}

async function digestHtml(visit: SignedInVisit): Promise<SafeHtml> {
  const { parts, signedIn, texts } = visit;
  const { isOn } = await parts.people.digests.of(signedIn.admin.id);
  const [button, digest] = isOn ? [texts.account.turnOff, "off"] : [texts.account.turnOn, "on"];
  return html`<h2>${texts.account.digest}</h2>
<p>${isOn ? texts.account.digestIsOn : texts.account.digestIsOff}</p>
${formHtml(visit, DIGEST_PATH, { fields: [], button, hidden: [["digest", digest]], isQuiet: true })}`;
}

async function sessionsHtml(visit: SignedInVisit): Promise<SafeHtml> {
  const { parts, signedIn, now, texts } = visit;
  const t = texts.account;
  const sessions = await listSessions(parts.people, signedIn.actor, signedIn.admin.id, now);
  const lines = sessions.map(({ id, device, network, usedAt }) => {
    const isThis = id === signedIn.session.id;
    const form = {
      fields: [],
      button: t.endSession,
      hidden: [["id", id]],
      isQuiet: true,
    } as const;
    const used = `${network} · ${texts.keys.used}: ${dateAndTimeText(visit, usedAt)}`;
    return html`<li>${deviceName(device)}${isThis && html` <span class="tag active">${t.thisBrowser}</span>`}
<div class="state">${used}</div>${!isThis && formHtml(visit, SESSIONS_PATH, form)}</li>\n`;
  });
  return html`<ul class="cards">
${lines}</ul>
${sessions.length > 1 && formHtml(visit, SESSIONS_PATH, { fields: [], button: t.endOthers, isQuiet: true })}`;
}
