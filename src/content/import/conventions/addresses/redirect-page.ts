import { deriveSitePath } from "../../file-path.ts";
import type { RedirectPair } from "../../redirects/redirect-rule.ts";
import type { FileWithLanguage } from "../file-languages.ts";
import type { SiteGenerator } from "../site-generator.ts";
import { TEMPLATE_TAG_START } from "./address-template.ts";
import { addressesSpelledLikeFile, encodeFilePath, formerHtmlPath } from "./file-address.ts";

type Values = Readonly<Record<string, unknown>>;

/** The target of a page that only redirects; null: the page has content. */
export function findRedirectTarget(values: Values): string | null {
  const [target] = [values["redirect_to"] ?? []].flat();
  return typeof target === "string" && target.trim() !== "" ? target.trim() : null;
}

/** The redirects to `to` from every address of the page, current and former. */
export function parseRedirectPage(
  values: Values,
  {
    place: { sitePath },
    to,
    generator,
  }: { place: FileWithLanguage; to: string; generator: SiteGenerator },
): RedirectPair[] {
  const stated = values["permalink"] ?? values["url"];
  const raw = TEMPLATE_TAG_START.test(String(stated)) ? undefined : stated;
  const pageAddress = typeof raw === "string" ? raw : deriveSitePath(sitePath);
  const named = [
    ...(typeof raw === "string" ? [] : addressesSpelledLikeFile(sitePath, undefined, generator)),
    ...(generator.hasFileAddresses === true ? [formerHtmlPath(`/${sitePath}`)] : []),
  ];
  const former = [values["redirect_from"] ?? []].flat().map(String);
  const all = [pageAddress, ...named.map(encodeFilePath), ...former];
  return [...new Set(all)].map((from) => ({
    from,
    to: resolveTarget(to, generator.tags === "zola" ? "/" : pageAddress),
  }));
}

/** Resolves a target, which may be relative to the page, to a path or URL. */
function resolveTarget(to: string, pageAddress: string): string {
  const base = "https://site.invalid";
  const url = URL.parse(to, base + encodeURI(pageAddress));
  return url === null ? to : url.origin === base ? url.pathname : url.href;
}
