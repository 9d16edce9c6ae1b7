import { hashNewPassword, type PasswordHash } from "./passwords.ts";
import type { Admin, PeopleRecord } from "./people-stores.ts";

/**
 * Hashes a password that a person chose. Refuses passwords made of words from the person's name,
 * the e-mail address or the name of the site.
 *
 * @param person null if the account is unknown.
 * @throws {AppError} as {@link hashNewPassword}.
 */
export async function hashChosenPassword(
  { content }: Pick<PeopleRecord, "content">,
  password: string,
  person: Pick<Admin, "email" | "name"> | null,
): Promise<PasswordHash> {
  const site = await content.site();
  const words = [person?.email, person?.name, site?.name];
  return await hashNewPassword(
    password,
    words.filter((text) => text !== undefined),
  );
}
