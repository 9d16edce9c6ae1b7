import type { ContentTransaction, Redirect } from "../record.ts";
import { SPLAT_PLACEHOLDER } from "./address-patterns.ts";
import { isServicePage } from "./paths.ts";
import { parseExternalRedirectTarget, redirectError } from "./redirect-addresses.ts";
import type { RedirectChangeContext } from "./redirect-change-context.ts";
import { pathOfAddress } from "./site-path.ts";

/**
 * Resolves `to`. If `to` is itself redirected, returns the target of that redirect. Null: the address answers
 * 410.
 */
export async function resolveRedirectTarget(
  transaction: ContentTransaction,
  to: string | null,
  { origin, isDocument }: RedirectChangeContext,
): Promise<Redirect["to"]> {
  if (to === null) return null;
  const url = parseExternalRedirectTarget(to, origin);
  if (url !== null) return { url };
  const isAddress = /^(?:\/|https?:)/i.test(to);
  if (isAddress && /[?#]/.test(to)) {
    throw redirectError("to", {
      en: "a redirect goes to a whole page; leave out what follows ? or #",
      de: "Eine Weiterleitung führt zu einer ganzen Seite: Lassen Sie weg, was auf ? oder # folgt",
    });
  }
  const name = isAddress ? pathOfAddress(to, origin) : to.normalize("NFC");
  if (name.includes(SPLAT_PLACEHOLDER)) return { path: name };
  const found = (await transaction.references([name])).get(name);
  if (found !== undefined) {
    const item = await transaction.item(found.id);
    if (item?.status !== "deleted") return { itemId: found.id };
    throw redirectError("to", {
      en: `"${item.title}" was deleted`,
      de: `„${item.title}“ wurde gelöscht`,
    });
  }
  if (!isAddress) {
    throw redirectError("to", {
      en: `no item has the id or source key "${name}"`,
      de: `„${name}“ ist keine Adresse: Beginnen Sie mit / oder https://`,
    });
  }
  const nextRedirect = await transaction.redirectAt(name);
  if (nextRedirect !== null) return nextRedirect.to;
  if (isServicePage(name) || (await isList(transaction, name)) || isDocument(name))
    return { path: name };
  // Files are valid targets, so that old addresses of pictures and documents can redirect to them.
  if (await transaction.hasFile(name)) return { path: name };
  throw redirectError("to", { en: `nothing is at "${name}"`, de: `Unter „${name}“ steht nichts` });
}

/** Whether a path is the path of a list page in one of the site's languages. */
async function isList(transaction: ContentTransaction, path: string): Promise<boolean> {
  const { languages = [] } = (await transaction.site()) ?? {};
  const prefixes = ["", ...languages.map((language) => `/${language.toLowerCase()}`)];
  const types = [...(await transaction.types()).values()];
  return types.some(
    ({ listPath }) =>
      listPath !== null && prefixes.some((prefix) => path === `${prefix}${listPath}`),
  );
}
