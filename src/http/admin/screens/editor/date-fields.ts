import type { DraftedItemParts } from "../../../../content/drafts/draft.ts";
import { dateTimeInZone, dayInZone } from "../../../../content/site/time-zone.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import type { ScreenVisit } from "../frame/screen.ts";

type DateContext = Pick<ScreenVisit, "texts" | "timeZone">;

/** The form fields for an item's expiry and next review, in the time zone of the site. */
export function expiryAndReviewControls(
  parts: DraftedItemParts,
  { texts, timeZone }: DateContext,
): SafeHtml {
  const t = texts.dates;
  const { expireAt, reviewAt } = expiryAndReviewControlValues(parts, timeZone);
  return html`<div class="field"><label for="expireAt">${t.expireAt} (${timeZone})</label><p class="hint" id="expireAt-hint">${t.expireHint}</p><input id="expireAt" name="expireAt" type="datetime-local" value="${expireAt}" aria-describedby="expireAt-hint"></div>
<div class="field"><label for="reviewAt">${t.reviewAt}</label><p class="hint" id="reviewAt-hint">${t.reviewHint}</p><input id="reviewAt" name="reviewAt" type="date" value="${reviewAt}" aria-describedby="reviewAt-hint"></div>
`;
}

/**
 * The expiry and the next review that were entered in a form. If a control is unchanged, the date
 * is the one in `parts`, which is more precise than the control.
 */
export function expiryAndReviewFromForm(
  form: SentForm,
  parts: DraftedItemParts,
  timeZone: string,
): DraftedItemParts {
  const shown = expiryAndReviewControlValues(parts, timeZone);
  const dateValue = (name: "expireAt" | "reviewAt") => {
    const value = form.value(name);
    if (value === shown[name]) return parts[name] ?? null;
    return value === "" ? null : value;
  };
  return { expireAt: dateValue("expireAt"), reviewAt: dateValue("reviewAt") };
}

/** The expiry and the next review as their controls show them. */
export function expiryAndReviewControlValues(
  parts: DraftedItemParts,
  timeZone: string,
): Record<"expireAt" | "reviewAt", string> {
  const controlValue = (value: unknown, inZone: (timeZone: string, time: string) => string) => {
    if (typeof value !== "string") return "";
    // Only stored times end in Z and need conversion; unsaved input already is local time.
    return value.endsWith("Z") ? inZone(timeZone, value) : value;
  };
  return {
    expireAt: controlValue(parts["expireAt"], dateTimeInZone),
    reviewAt: controlValue(parts["reviewAt"], dayInZone),
  };
}
