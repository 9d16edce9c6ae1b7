import { type Edition, slotTextLanguage } from "../site/editions.ts";
import type { Block } from "./view.ts";

/** The editors' own text for a slot of a page, if they wrote one. */
export function buildSlotBlocks(edition: Edition, slot: "home" | "quotation"): Block[] {
  const markdown = edition.site.look.slots[slot]?.trim() ?? "";
  const language = slotTextLanguage(edition, slot);
  return markdown === "" ? [] : [{ kind: "source", name: slot.toLowerCase(), markdown, language }];
}
