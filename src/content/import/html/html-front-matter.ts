import { LAST_CHANGE_KEY } from "../parsing/last-change.ts";
import type { HtmlMetadata } from "./html-page.ts";

/**
 * Converts the metadata of an HTML page to front matter.
 *
 * @param hasTemplates true to leave out values with template tags, such as
 * `<title>{{ page.title }}</title>`.
 */
export function convertMetadataToFrontMatter(
  metadata: HtmlMetadata,
  { hasTemplates }: { hasTemplates: boolean },
): Record<string, unknown> {
  const { title, description, language, published, changed, redirectsTo } = metadata;
  const found = {
    title,
    description,
    language,
    date: published,
    [LAST_CHANGE_KEY]: changed,
    redirect_to: redirectsTo,
  };
  const isStated = (text: string | undefined) =>
    text !== undefined && !(hasTemplates && /\{[{%]/.test(text));
  return Object.fromEntries(Object.entries(found).filter(([, text]) => isStated(text)));
}
