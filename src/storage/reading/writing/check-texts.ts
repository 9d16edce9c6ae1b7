import type { Item } from "../../../content/items/item.ts";
import { AppError, inputError, type Wording } from "../../../errors.ts";
import {
  type BodyRenderOptions,
  isShallowlyNested,
  renderBody,
} from "../../../render/body/body.ts";
import { isLargeText, largeTextRenderer } from "../rendering/large-texts.ts";
import { UnrenderedTextsError } from "../rendering/render-large-texts-first.ts";

/**
 * Checks that the changed texts of an item can be rendered. Unchanged texts were checked before.
 * @throws {AppError} `invalid`, naming the text that cannot be rendered.
 * @throws {UnrenderedTextsError} when large texts must be rendered first.
 */
export function requireRenderableTexts(
  item: Item,
  before: Item | null,
  options: BodyRenderOptions,
): void {
  const known = new Set(before === null ? [] : markdownTexts(before).map(({ text }) => text));
  const texts = markdownTexts(item);
  requireLargeTextsRendered(
    texts.map(({ text }) => text),
    options,
  );
  for (const { where, text } of texts) if (!known.has(text)) checkText(where, text, options);
}

/**
 * @throws {UnrenderedTextsError} if large texts have not been rendered yet, or were refused too long
 * ago. The error contains these texts.
 */
export function requireLargeTextsRendered(
  texts: readonly string[],
  options: BodyRenderOptions,
): void {
  const unknown = texts.filter(
    (text) => isLargeText(text) && largeTextRenderer.outcome(text, options.origin) === null,
  );
  if (unknown.length > 0) throw new UnrenderedTextsError(unknown, options);
}

function markdownTexts({ body, fields }: Item): { where: string; text: string }[] {
  const others = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "string" ? [{ where: `fields.${name}`, text: value }] : [],
  );
  return [{ where: "body", text: body }, ...others];
}

function checkText(where: string, text: string, options: BodyRenderOptions): void {
  const message = refusalOf(text, options);
  if (message === null) return;
  const heading = { en: "Cannot save", de: "Das lässt sich so nicht speichern" };
  throw inputError(heading, [{ where, message }]);
}

function refusalOf(text: string, { origin }: BodyRenderOptions): Wording | null {
  if (isLargeText(text)) return largeTextRenderer.outcome(text, origin)?.refusal ?? null;
  if (isShallowlyNested(text)) return null;
  try {
    renderBody(text, { origin });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.wording;
  }
}
