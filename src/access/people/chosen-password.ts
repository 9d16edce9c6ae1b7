import { hashNewPassword, type PasswordHash } from "./passwords.ts";
import type { Admin, PeopleRecord } from "./people-stores.ts";

/**
 * Hashes a password that a person chose. It must not be made of the words of their account or of the name of
 * the site.
 *
 * @param person null: unknown.
 * @throws {AppError} as `hashNewPassword`.
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
