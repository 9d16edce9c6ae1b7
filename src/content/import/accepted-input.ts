import { AppError } from "../../errors.ts";
import type { ItemInput } from "../items/item.ts";
import { cleanItemTexts, validateFields } from "../items/validation.ts";
import type { ContentType } from "../types/content-type.ts";

/** Whether the texts and fields of an item are valid. Links and addresses are not checked. */
export function hasValidTextsAndFields(input: ItemInput, type: ContentType): boolean {
  try {
    cleanItemTexts(input, input.title);
    validateFields(type, input.fields, input.title);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
