import { AppError } from "../../errors.ts";
import { type Actor, type PersonActor, requireRecentConfirmation, requireScope } from "../actor.ts";
import { auditEntryForChange, type ChangeContext } from "../audit.ts";
import { requireGrantableScopes } from "../keys/grants.ts";
import { type AccountChangeContext, sendAccountChangeNotice } from "./account-notices.ts";
import { requireExistingAdmin } from "./admins.ts";
import type { PeopleStores, SecondFactor } from "./people-stores.ts";
import { generateRecoveryCodes, hashRecoveryCode } from "./recovery-codes.ts";
import { ROLE_SCOPES } from "./roles.ts";
import { endSessionsOfAccount } from "./sessions.ts";
import { generateTotpSecret, totpUri, verifyTotpCode } from "./totp.ts";

/**
 * If the first code arrives again within this time, it counts as a double click. Later repetitions are
 * refused.
 */
const REPEAT_MILLISECONDS = 60_000;

/** A secret to enter in an authenticator app. It is shown until a first code confirms it. */
export interface PendingSecondFactor {
  secret: string;
  uri: string;
}

/**
 * Creates a secret for an authenticator app. Sign-in asks for codes only after a first code has confirmed
 * the secret. Call within a transaction.
 *
 * @throws {AppError} `conflict` when there is a second factor already; `unconfirmed` if the person has to enter
 * the password again.
 */
export async function beginSecondFactorSetup(
  { secondFactors }: PeopleStores,
  actor: PersonActor,
): Promise<void> {
  requireRecentConfirmation(actor);
  const { adminId } = actor;
  if ((await secondFactors.of(adminId))?.confirmedAt) throw alreadyOn();
  const factor = { adminId, confirmedAt: null, lastStep: 0, recoveryHashes: [] };
  await secondFactors.put({ ...factor, secret: generateTotpSecret() }, null);
}

/**
 * Returns the account's secret if no code has confirmed it yet. After a wrong code, a person can
 * then try again without setting up the app again.
 *
 * @returns null when there is no such secret.
 * @throws {AppError} `unconfirmed` if the person has to enter the password again.
 */
export async function readPendingSecondFactor(
  { secondFactors, admins, content }: Pick<PeopleStores, "secondFactors" | "admins" | "content">,
  actor: PersonActor,
): Promise<PendingSecondFactor | null> {
  requireRecentConfirmation(actor);
  const factor = await secondFactors.of(actor.adminId);
  if (factor === null || isSecondFactorOn(factor)) return null;
  const { secret } = factor;
  const { email } = await requireExistingAdmin(admins, actor.adminId);
  const site = (await content.site())?.name ?? "Commonplace";
  return { secret, uri: totpUri(secret, { site, email }) };
}

/**
 * Turns the second factor on with a first code. The same code sent again within a minute, as by a double
 * click, replaces the recovery codes. Call within a transaction.
 *
 * @returns the recovery codes, shown once.
 * @throws {AppError} `invalid` for a wrong code; `conflict` when there is a second factor already;
 * `unconfirmed` if the person has to enter the password again.
 */
export async function turnOnSecondFactor(
  stores: PeopleStores,
  actor: PersonActor,
  code: string,
  context: AccountChangeContext,
): Promise<string[]> {
  const { secondFactors } = stores;
  const { now, requestId } = context;
  requireRecentConfirmation(actor);
  const factor = await secondFactors.of(actor.adminId);
  if (factor === null) {
    throw new AppError("conflict", {
      en: "Cannot confirm a second factor: begin with a new secret",
      de: "Der zweite Faktor lässt sich nicht bestätigen: Beginnen Sie mit einem neuen Geheimnis",
    });
  }
  const { confirmedAt } = factor;
  const isOn = confirmedAt !== null;
  if (isOn && now.getTime() - Date.parse(confirmedAt) > REPEAT_MILLISECONDS) throw alreadyOn();
  // After a double click, the browser drops the answer to the first click, which contains the recovery
  // codes. The same code is therefore accepted again.
  const usedStep = isOn ? factor.lastStep - 1 : factor.lastStep;
  const lastStep = verifyTotpCode(factor.secret, digitsOf(code), { now, lastStep: usedStep });
  if (isOn && lastStep !== factor.lastStep) throw alreadyOn();
  if (lastStep === null) {
    const message = {
      en: "is not the one your app shows now; check the clock of your device",
      de: "ist nicht der, den Ihre App jetzt zeigt: Prüfen Sie, ob die Uhr Ihres Geräts richtig geht",
    };
    throw new AppError(
      "invalid",
      { en: `The code ${message.en}`, de: `Der Code ${message.de}` },
      {
        problems: [{ where: "code", message }],
      },
    );
  }
  const codes = generateRecoveryCodes();
  const recoveryHashes = codes.map(hashRecoveryCode);
  await secondFactors.put(
    { ...factor, lastStep, recoveryHashes, confirmedAt: confirmedAt ?? now.toISOString() },
    auditEntryForChange("admin.second-factor-on", actor.adminId, { actor, now, requestId }),
  );
  const admin = await requireExistingAdmin(stores.admins, actor.adminId);
  await sendAccountChangeNotice(stores, admin, "secondFactorOn", context);
  return codes;
}

/**
 * Turns off the second factor of one's own account, or, with `admins:manage`, of another account.
 * Also ends the sessions of that other account. Call within a transaction.
 *
 * @throws {AppError} `not_found`, `forbidden`; `unconfirmed` if the person has to enter the
 * password again.
 */
export async function removeSecondFactor(
  stores: PeopleStores,
  actor: Actor,
  adminId: string,
  context: AccountChangeContext,
): Promise<void> {
  const { secondFactors } = stores;
  const { now, requestId } = context;
  const isOwn = actor.kind === "person" && actor.adminId === adminId;
  if (isOwn) requireRecentConfirmation(actor);
  else requireScope(actor, "admins:manage");
  const admin = await requireExistingAdmin(stores.admins, adminId);
  if (!isOwn) requireGrantableScopes(actor, ROLE_SCOPES[admin.role]);
  if ((await secondFactors.of(adminId)) === null) {
    throw new AppError("not_found", {
      en: "This account has no second factor",
      de: "Dieses Konto hat keinen zweiten Faktor",
    });
  }
  const entry = auditEntryForChange("admin.second-factor-off", adminId, { actor, now, requestId });
  await secondFactors.remove(adminId, entry);
  if (!isOwn) await endSessionsOfAccount(stores, actor, adminId, { keep: null, now, requestId });
  await sendAccountChangeNotice(stores, admin, "secondFactorOff", context);
}

/** Whether the text is a code from an authenticator app rather than a recovery code. */
export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(digitsOf(code));
}

/** Whether the second factor is on, so that sign-in asks for a code. */
export function isSecondFactorOn(factor: SecondFactor | null): factor is SecondFactor {
  return factor !== null && factor.confirmedAt !== null;
}

/**
 * Checks a code from the app or a recovery code, and uses it up. Call within a transaction.
 *
 * @returns whether the code was right.
 */
export async function consumeSecondFactorCode(
  { secondFactors }: Pick<PeopleStores, "secondFactors">,
  factor: SecondFactor,
  code: string,
  { now, actor, requestId }: { actor: Actor } & ChangeContext,
): Promise<boolean> {
  if (isTotpCode(code)) {
    const { lastStep } = factor;
    const step = verifyTotpCode(factor.secret, digitsOf(code), { now, lastStep });
    if (step === null) return false;
    await secondFactors.put({ ...factor, lastStep: step }, null);
    return true;
  }
  const usedHash = hashRecoveryCode(code);
  if (!factor.recoveryHashes.includes(usedHash)) return false;
  const recoveryHashes = factor.recoveryHashes.filter((each) => each !== usedHash);
  const entry = auditEntryForChange("admin.use-recovery-code", factor.adminId, {
    actor,
    now,
    requestId,
  });
  const detail = `${recoveryHashes.length} left`;
  await secondFactors.put({ ...factor, recoveryHashes }, { ...entry, detail });
  return true;
}

function alreadyOn(): AppError {
  return new AppError("conflict", {
    en: "This account has a second factor already: remove that first",
    de: "Dieses Konto hat schon einen zweiten Faktor: Schalten Sie ihn zuerst aus",
  });
}

function digitsOf(code: string): string {
  return code.replaceAll(/\s/g, "");
}
