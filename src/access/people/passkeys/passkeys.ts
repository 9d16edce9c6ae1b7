import { AppError } from "../../../errors.ts";
import { newId } from "../../../new-id.ts";
import {
  type Actor,
  type PersonActor,
  requireRecentConfirmation,
  requireScope,
} from "../../actor.ts";
import { auditEntryForChange } from "../../audit.ts";
import { requireGrantableScopes } from "../../keys/grants.ts";
import { singleLineTextSchema } from "../../submissions/visitor-input.ts";
import { type AccountChangeContext, sendAccountChangeNotice } from "../account-notices.ts";
import { requireExistingAdmin } from "../admins.ts";
import type { Passkey, PeopleRecord, PeopleStores } from "../people-stores.ts";
import { ROLE_SCOPES } from "../roles.ts";
import { endSessionsOfAccount } from "../sessions.ts";
import { consumeChallenge, startChallenge } from "./challenges.ts";
import { requirePasskeyHost } from "./passkey-host.ts";
import type { PasskeyVerifier, WebAuthnOptions } from "./verifier.ts";

const PASSKEYS_MAX = 10;
const nameSchema = singleLineTextSchema({ charactersMax: 100, whenEmpty: "is empty" });

/** The data that a browser needs to create a passkey or to sign in with one. */
export interface PasskeyCeremony {
  /** The browser keeps the secret until it sends the response. The record holds only the secret's hash. */
  secret: string;
  options: WebAuthnOptions;
}

/**
 * Starts adding a passkey to one's own account.
 *
 * @throws {AppError} `unconfirmed`; `conflict` if the account has the maximum number of passkeys, or if
 * passkeys do not work at the site's address.
 */
export async function beginPasskeyRegistration(
  record: PeopleRecord,
  verifier: PasskeyVerifier,
  actor: PersonActor,
  now: Date,
): Promise<PasskeyCeremony> {
  requireRecentConfirmation(actor);
  requirePasskeyHost(verifier.host);
  const { adminId } = actor;
  const { secret, challenge } = await record.atomically(async (stores) => {
    await requireFewerThanMax(stores, adminId);
    return await startChallenge(stores, adminId, now);
  });
  const [admin, site] = [
    await requireExistingAdmin(record.admins, adminId),
    await record.content.site(),
  ];
  const existing = await record.passkeys.ofAdmin(adminId);
  const options = await verifier.creationOptions({
    challenge,
    siteName: site?.name ?? "Commonplace",
    admin,
    credentialIds: existing.map(({ credentialId }) => credentialId),
  });
  return { secret, options };
}

/**
 * Adds the passkey that a browser has made.
 *
 * @param secret the secret that the browser kept; null: the browser sent no secret.
 * @throws {AppError} `invalid` for a bad name, or a response that is forged, late, reused or from another
 * browser; `conflict`; `unconfirmed`.
 */
export async function addPasskey(
  record: PeopleRecord,
  verifier: PasskeyVerifier,
  actor: PersonActor,
  {
    response,
    secret,
    name,
    ...context
  }: { response: string; secret: string | null; name: string } & AccountChangeContext,
): Promise<Passkey> {
  requireRecentConfirmation(actor);
  const { adminId } = actor;
  const { now, requestId } = context;
  const parsedName = nameSchema.safeParse(name);
  if (!parsedName.success) throw badName();
  const challenge = await record.atomically((stores) =>
    consumeChallenge(stores, { secret, adminId }, now),
  );
  const verified = challenge === null ? null : await verifier.verifyCreation(response, challenge);
  if (verified === null) throw passkeyRefused();
  return await record.atomically(async (stores) => {
    await requireFewerThanMax(stores, adminId);
    if ((await stores.passkeys.byCredential(verified.credentialId)) !== null)
      throw passkeyRefused();
    const passkey: Passkey = {
      id: newId(now),
      adminId,
      name: parsedName.data,
      ...verified,
      host: verifier.host,
      createdAt: now.toISOString(),
      usedAt: null,
    };
    const entry = auditEntryForChange("admin.passkey-add", adminId, { actor, now, requestId });
    await stores.passkeys.insert(passkey, entry);
    const admin = await requireExistingAdmin(stores.admins, adminId);
    await sendAccountChangeNotice(stores, admin, "passkeyAdded", context);
    return passkey;
  });
}

/**
 * Removes a passkey of one's own account. Call within a transaction.
 *
 * @throws {AppError} `not_found`; `unconfirmed` if the person has to enter the password again.
 */
export async function removeOwnPasskey(
  stores: PeopleStores,
  actor: PersonActor,
  id: string,
  context: AccountChangeContext,
): Promise<void> {
  requireRecentConfirmation(actor);
  const { adminId } = actor;
  const found = (await stores.passkeys.ofAdmin(adminId)).find((passkey) => passkey.id === id);
  if (found === undefined) throw passkeyNotFound();
  const entry = auditEntryForChange("admin.passkey-remove", adminId, { actor, ...context });
  await stores.passkeys.remove(id, entry);
  await sendAccountChangeNotice(
    stores,
    await requireExistingAdmin(stores.admins, adminId),
    "passkeyRemoved",
    context,
  );
}

/**
 * Removes all passkeys of another account and ends its sessions, for example after a theft. Call
 * within a transaction.
 *
 * @throws {AppError} `not_found`, `forbidden`.
 */
export async function removeAllPasskeysOfAccount(
  stores: PeopleStores,
  actor: Actor,
  adminId: string,
  context: AccountChangeContext,
): Promise<void> {
  requireScope(actor, "admins:manage");
  const admin = await requireExistingAdmin(stores.admins, adminId);
  requireGrantableScopes(actor, ROLE_SCOPES[admin.role]);
  const passkeys = await stores.passkeys.ofAdmin(adminId);
  if (passkeys.length === 0) throw passkeyNotFound();
  const entry = auditEntryForChange("admin.passkey-remove", adminId, { actor, ...context });
  for (const { id } of passkeys) await stores.passkeys.remove(id, entry);
  await endSessionsOfAccount(stores, actor, adminId, { keep: null, ...context });
  await sendAccountChangeNotice(stores, admin, "passkeysRemoved", context);
}

async function requireFewerThanMax(
  { passkeys }: Pick<PeopleStores, "passkeys">,
  adminId: string,
): Promise<void> {
  if ((await passkeys.ofAdmin(adminId)).length < PASSKEYS_MAX) return;
  throw new AppError("conflict", {
    en: `There are ${PASSKEYS_MAX} passkeys already: remove one first`,
    de: `Es gibt schon ${PASSKEYS_MAX} Passkeys: Entfernen Sie zuerst einen`,
  });
}

function passkeyNotFound(): AppError {
  return new AppError("not_found", {
    en: "There is no such passkey",
    de: "Diesen Passkey gibt es nicht mehr",
  });
}

function badName(): AppError {
  const message = { en: "needs 1 to 100 characters", de: "braucht 1 bis 100 Zeichen" };
  return new AppError(
    "invalid",
    { en: `The name ${message.en}`, de: `Der Name ${message.de}` },
    { problems: [{ where: "passkey-name", message }] },
  );
}

function passkeyRefused(): AppError {
  return new AppError("invalid", {
    en: "The passkey was not added: it took longer than five minutes or was not made on this page; try again",
    de: "Der Passkey wurde nicht hinzugefügt: Es hat länger als fünf Minuten gedauert, oder er wurde nicht auf dieser Seite erstellt. Versuchen Sie es noch einmal",
  });
}
