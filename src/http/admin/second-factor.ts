import {
  beginSecondFactorSetup,
  isSecondFactorOn,
  readPendingSecondFactor,
  removeSecondFactor,
  turnOnSecondFactor,
} from "../../access/people/second-factors.ts";
import { html, type SafeHtml } from "../../render/html.ts";
import {
  type AdminRoute,
  accountChangeContextOf,
  type FormPage,
  type SignedInVisit,
} from "./admin-route.ts";
import { formHtml, redirectResponse } from "./page.ts";
import { qrCode } from "./screens/access/qr-code.ts";
import { screenResponse } from "./screens/frame/frame.ts";
import { ACCOUNT_PATH, PASSWORD_CONFIRMATION_PATH } from "./sign-in.ts";
import { numberText } from "./texts/choose.ts";

const FACTOR_PATH = "/admin/account/second-factor";
const CONFIRM_FACTOR_PATH = "/admin/account/second-factor/confirm";
const REMOVE_FACTOR_PATH = "/admin/account/second-factor/remove";

/** The section about the second factor on the person's account page. */
export async function secondFactorSectionHtml(visit: SignedInVisit): Promise<SafeHtml> {
  const { parts, signedIn, texts } = visit;
  const t = texts.account;
  const factor = await parts.people.secondFactors.of(signedIn.admin.id);
  const state = isSecondFactorOn(factor)
    ? html`<p>${t.factorIsOn(numberText(texts, factor.recoveryHashes.length))}</p>\n<p class="hint">${t.otherPhone}</p>\n`
    : html`<p class="hint">${t.whyFactor}</p>\n`;
  const form = isSecondFactorOn(factor)
    ? formHtml(visit, REMOVE_FACTOR_PATH, { fields: [], button: t.turnOff, isQuiet: true })
    : formHtml(visit, FACTOR_PATH, { fields: [], button: t.setUpFactor, isQuiet: true });
  return html`<h2>${texts.entering.secondFactor}</h2>
${state}${!signedIn.actor.isConfirmed && html`<p>${t.confirmFirst} <a href="${PASSWORD_CONFIRMATION_PATH}">${t.confirm}</a></p>\n`}${form}`;
}

/** Routes for setting up an authenticator app. They show `accountPage` when no setup has begun. */
export function secondFactorSetupRoutes(accountPage: FormPage<SignedInVisit>): AdminRoute[] {
  const page: FormPage<SignedInVisit> = {
    path: ACCOUNT_PATH,
    title: ({ entering }) => entering.secondFactor,
    content: async (visit) => (await setupHtml(visit)) ?? (await accountPage.content(visit)),
  };
  return [
    { needs: "session", method: "GET", path: FACTOR_PATH, page, handlePost: null },
    {
      needs: "session",
      method: "POST",
      path: FACTOR_PATH,
      page: accountPage,
      async handlePost({ parts, signedIn }) {
        await parts.people.atomically((stores) => beginSecondFactorSetup(stores, signedIn.actor));
        return redirectResponse(FACTOR_PATH);
      },
    },
    {
      needs: "session",
      method: "POST",
      path: CONFIRM_FACTOR_PATH,
      page,
      async handlePost(visit, form) {
        const { parts, signedIn, now, requestId, texts } = visit;
        const mailContext = accountChangeContextOf({ parts, now, requestId });
        const codes = await parts.people.atomically((stores) =>
          turnOnSecondFactor(stores, signedIn.actor, form.value("code"), mailContext),
        );
        const content = html`<p>${texts.account.keepCodes}</p>
<ul>
${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ul>
<p><a href="${ACCOUNT_PATH}">${texts.account.title}</a></p>`;
        return screenResponse(
          { ...visit, url: ACCOUNT_PATH },
          { title: texts.account.recoveryCodes, content },
        );
      },
    },
    {
      needs: "session",
      method: "POST",
      path: REMOVE_FACTOR_PATH,
      page: accountPage,
      async handlePost({ parts, signedIn, now, requestId }) {
        const { actor } = signedIn;
        const mailContext = accountChangeContextOf({ parts, now, requestId });
        await parts.people.atomically((stores) =>
          removeSecondFactor(stores, actor, actor.adminId, mailContext),
        );
        return redirectResponse(ACCOUNT_PATH);
      },
    },
  ];
}

/**
 * The steps of setting up an authenticator app. Null: no setup has begun, or the person must enter
 * the password again first.
 */
async function setupHtml(visit: SignedInVisit): Promise<SafeHtml | null> {
  const { parts, signedIn, texts } = visit;
  if (!signedIn.actor.isConfirmed) return null;
  const pending = await readPendingSecondFactor(parts.people, signedIn.actor);
  if (pending === null) return null;
  const t = texts.account;
  return html`<p>${t.scan}</p>
${qrCode(pending.uri, t.qrCode)}<p>${t.secret}</p>
<p class="code"><code>${pending.secret}</code></p>
<p><a href="${pending.uri}">${t.openApp}</a></p>
<p>${t.thenEnter}</p>
${formHtml(visit, CONFIRM_FACTOR_PATH, { fields: ["code"], button: t.turnOn })}<p><a href="${ACCOUNT_PATH}">${t.notNow}</a></p>`;
}
