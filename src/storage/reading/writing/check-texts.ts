import type { Item } from "../../../content/items/item.ts";
import { AppError } from "../../../errors.ts";
import { isSurelyFlat, renderBody } from "../../../render/body/body.ts";

/**
 * Checks that the texts of an item can be rendered.
 * @throws {AppError} `invalid`, naming the text that cannot.
 */
export function checkTexts(item: Item, origin: string): void {
  checkText("body", item.body, origin);
  for (const [name, value] of Object.entries(item.fields)) {
    if (typeof value === "string") checkText(`fields.${name}`, value, origin);
  }
}

function checkText(where: string, text: string, origin: string): void {
  if (isSurelyFlat(text)) return;
  try {
    renderBody(text, { origin });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message } = error;
    throw new AppError(code, `Cannot save: ${where}: ${message}`, {
      problems: [{ where, message }],
    });
  }
}
