import type { SiteProfile } from "../site/site.ts";
import type { Block } from "./view.ts";

/** The editors' own text for a slot of a page, if they wrote one. */
export function slotBlocks({ look }: SiteProfile, slot: "home" | "quotation"): Block[] {
  const markdown = look.slots[slot]?.trim() ?? "";
  return markdown === "" ? [] : [{ kind: "source", name: slot.toLowerCase(), markdown }];
}
