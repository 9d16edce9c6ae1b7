import { normalizeAccountEmail } from "../access/people/admins.ts";
import type { AdminStore } from "../access/people/people-stores.ts";
import { AppError, englishOnlyWording } from "../errors.ts";

/** Finds the id of an account. `who`: its id or e-mail address. @throws {AppError} `not_found`. */
export async function findAdminId(
  admins: Pick<AdminStore, "byEmail">,
  who: string,
): Promise<string> {
  if (!who.includes("@")) return who;
  const admin = await admins.byEmail(normalizeAccountEmail(who));
  if (admin === null)
    throw new AppError("not_found", englishOnlyWording(`There is no administrator ${who}`));
  return admin.id;
}
