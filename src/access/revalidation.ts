import { AppError } from "../errors.ts";
import type { Actor } from "./actor.ts";
import { describeKeyError, type KeyReader } from "./keys/keys.ts";
import { personActorOf } from "./people/admins.ts";
import type { AdminStore } from "./people/people-stores.ts";

/** The stores that say what a key or person may do now. */
export interface ActorStores {
  keys: Pick<KeyReader, "byId">;
  admins: Pick<AdminStore, "byId">;
}

/**
 * Returns the actor with its current scopes, for work that goes on after the request was authenticated.
 *
 * @throws {AppError} `forbidden` if the key no longer works or the account was disabled.
 */
export async function revalidateActor(
  actor: Actor,
  { keys, admins }: ActorStores,
  now: Date,
): Promise<Actor> {
  if (actor.kind === "person") {
    const admin = await admins.byId(actor.adminId);
    if (admin?.state !== "active") {
      throw new AppError("forbidden", {
        en: "The account that asked for this was disabled",
        de: "Das Konto, das diesen Auftrag gab, wurde gesperrt",
      });
    }
    return personActorOf(admin, actor);
  }
  if (actor.kind !== "key") return actor;
  const key = await keys.byId(actor.keyId);
  if (key === null || key.revokedAt !== null) {
    throw new AppError("forbidden", {
      en: "The key that asked for this was revoked",
      de: "Der Schlüssel, der diesen Auftrag gab, wurde widerrufen",
    });
  }
  if (describeKeyError(key, now) !== null) {
    throw new AppError("forbidden", {
      en: "The key that asked for this expired",
      de: "Der Schlüssel, der diesen Auftrag gab, ist abgelaufen",
    });
  }
  return { ...actor, scopes: key.scopes };
}
