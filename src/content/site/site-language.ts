import { AppError } from "../../errors.ts";
import type { ContentReader } from "../record.ts";

/**
 * The language of items that state no language.
 *
 * @param subject what is to be saved, for the error message.
 * @throws {AppError} `conflict` before the site has a profile.
 */
export async function requireSiteLanguage(
  content: Pick<ContentReader, "site">,
  subject: string,
): Promise<string> {
  const site = await content.site();
  if (site !== null) return site.language;
  throw new AppError("conflict", {
    en: `Cannot save ${subject}: save the profile of the site first`,
    de: "Die Website hat noch keinen Namen: Speichern Sie zuerst die Einstellungen",
  });
}
