import { isPasskeyHost } from "../../access/people/passkeys/passkey-host.ts";
import {
  beginPasskeySignIn,
  signInWithPasskey,
} from "../../access/people/passkeys/passkey-sign-in.ts";
import {
  addPasskey,
  beginPasskeyRegistration,
  type PasskeyCeremony,
  removeOwnPasskey,
} from "../../access/people/passkeys/passkeys.ts";
import type { Passkey } from "../../access/people/people-stores.ts";
import { html, type SafeHtml } from "../../render/html.ts";
import { type HttpResponse, responseWithContentLength } from "../exchange.ts";
import {
  type AdminRoute,
  accountChangeContextOf,
  type FormPage,
  type SignedInVisit,
} from "./admin-route.ts";
import { ADMIN_HEADERS, formHtml, redirectAfterSave, redirectResponse } from "./page.ts";
import { PASSKEY_CHALLENGE_PATH, PASSKEY_SIGN_IN_PATH, passkeyForm } from "./passkey-forms.ts";
import { passkeyChallengeSecretHeader } from "./session-cookie.ts";
import {
  ACCOUNT_PATH,
  PASSWORD_CONFIRMATION_PATH,
  signInPage,
  startBrowserSession,
} from "./sign-in.ts";
import { dateAndTimeText } from "./texts/choose.ts";

const PASSKEYS_PATH = "/admin/account/passkeys";
const NEW_CHALLENGE_PATH = "/admin/account/passkeys/challenge";
const REMOVE_PATH = "/admin/account/passkeys/remove";

/** The passkeys section of the account page. */
export async function passkeysHtml(visit: SignedInVisit): Promise<SafeHtml> {
  const { parts, signedIn, texts } = visit;
  const t = texts.entering.passkeys;
  const passkeys = await parts.people.passkeys.ofAdmin(signedIn.admin.id);
  const cards = passkeys.map((passkey) => passkeyCard(visit, passkey));
  return html`<h2>${t.title}</h2>
<p class="hint">${t.why}</p>
${passkeys.length > 0 && html`<ul class="cards">\n${cards}</ul>\n`}${newPasskeyHtml(visit)}`;
}

/** Routes for signing in with a passkey, and for managing the passkeys of the signed-in person. */
export function passkeyRoutes(accountPage: FormPage<SignedInVisit>): AdminRoute[] {
  return [
    {
      needs: "nothing",
      method: "POST",
      path: PASSKEY_CHALLENGE_PATH,
      page: signInPage,
      async handlePost(visit) {
        const { people, passkeys } = visit.parts;
        return challengeResponse(await beginPasskeySignIn(people, passkeys, visit));
      },
    },
    {
      needs: "nothing",
      method: "POST",
      path: PASSKEY_SIGN_IN_PATH,
      page: signInPage,
      async handlePost(visit, form) {
        const { people, passkeys } = visit.parts;
        const input = { response: form.value("response"), secret: visit.passkeySecret };
        return await startBrowserSession(
          visit,
          await signInWithPasskey(people, passkeys, input, visit),
        );
      },
    },
    {
      needs: "session",
      method: "POST",
      path: NEW_CHALLENGE_PATH,
      page: accountPage,
      async handlePost({ parts: { people, passkeys }, signedIn, now }) {
        return challengeResponse(
          await beginPasskeyRegistration(people, passkeys, signedIn.actor, now),
        );
      },
    },
    {
      needs: "session",
      method: "POST",
      path: PASSKEYS_PATH,
      page: accountPage,
      async handlePost({ parts, signedIn, now, requestId, passkeySecret: secret }, form) {
        const { people, passkeys } = parts;
        const input = { response: form.value("response"), name: form.value("name"), secret };
        const mailContext = accountChangeContextOf({ parts, now, requestId });
        await addPasskey(people, passkeys, signedIn.actor, { ...input, ...mailContext });
        return redirectAfterSave(ACCOUNT_PATH);
      },
    },
    {
      needs: "session",
      method: "POST",
      path: REMOVE_PATH,
      page: accountPage,
      async handlePost({ parts, signedIn, now, requestId }, form) {
        await parts.people.atomically((stores) =>
          removeOwnPasskey(
            stores,
            signedIn.actor,
            form.value("id"),
            accountChangeContextOf({ parts, now, requestId }),
          ),
        );
        return redirectResponse(ACCOUNT_PATH);
      },
    },
  ];
}

function passkeyCard(visit: SignedInVisit, passkey: Passkey): SafeHtml {
  const { parts, signedIn, texts } = visit;
  const t = texts.entering.passkeys;
  const { id, name, host, isBackedUp, createdAt, usedAt } = passkey;
  const used = usedAt === null ? texts.keys.never : dateAndTimeText(visit, usedAt);
  const state = [
    isBackedUp ? t.isBackedUp : t.isOnOneDevice,
    `${t.added}: ${dateAndTimeText(visit, createdAt)}`,
    `${t.lastUsed}: ${used}`,
  ].join(" · ");
  const form = { fields: [], button: t.remove(name), hidden: [["id", id]], isQuiet: true } as const;
  return html`<li><strong>${name}</strong>
<div class="state">${state}</div>
${host !== parts.passkeys.host && html`<p class="fault">${t.otherHost(host)}</p>\n`}${signedIn.actor.isConfirmed && formHtml(visit, REMOVE_PATH, form)}</li>
`;
}

/** The form for a new passkey, or the reason why none can be added. */
function newPasskeyHtml(visit: SignedInVisit): SafeHtml {
  const { parts, signedIn, texts } = visit;
  const t = texts.entering.passkeys;
  const { host } = parts.passkeys;
  if (!isPasskeyHost(host)) return html`<p>${t.noName(host)}</p>\n`;
  if (!signedIn.actor.isConfirmed) {
    const { account } = texts;
    return html`<p>${account.confirmFirst} <a href="${PASSWORD_CONFIRMATION_PATH}">${account.confirm}</a></p>\n`;
  }
  const content = html`<div class="field"><label>${t.name} <input name="name" required maxlength="100" autocomplete="off"></label></div>\n`;
  return html`<p class="hint" data-no-passkeys>${t.unsupported}</p>
${passkeyForm(visit, { kind: "create", challenge: NEW_CHALLENGE_PATH, path: PASSKEYS_PATH, content })}`;
}

function challengeResponse({ secret, options }: PasskeyCeremony): HttpResponse {
  const headers = {
    ...ADMIN_HEADERS,
    "Content-Type": "application/json; charset=utf-8",
    ...passkeyChallengeSecretHeader(secret),
  };
  return responseWithContentLength(200, headers, JSON.stringify(options));
}
