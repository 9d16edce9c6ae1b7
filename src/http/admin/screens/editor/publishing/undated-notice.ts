import type { ContentType } from "../../../../../content/types/content-type.ts";
import { isEventType, isNewsType } from "../../../../../content/types/date-fields.ts";
import { html, type SafeHtml } from "../../../../../render/html.ts";
import type { ScreenVisit } from "../../frame/screen.ts";

/**
 * Explains, before publishing, what happens to news or an event without a date. Null: the draft has
 * a date, or its type needs none.
 */
export function missingDateNotice(
  { texts }: ScreenVisit,
  type: ContentType | undefined,
  fieldValue: (name: string) => unknown,
): SafeHtml | null {
  if (type?.dated === undefined || (fieldValue(type.dated.by) ?? null) !== null) return null;
  if (isNewsType(type)) return html`<p class="hint">${texts.publish.undatedNews}</p>\n`;
  if (isEventType(type)) return html`<p class="notes">${texts.publish.undatedEvent}</p>\n`;
  return null;
}
