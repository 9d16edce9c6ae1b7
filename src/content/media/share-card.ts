import { cutAtWord } from "../../search/language/folding.ts";
import type { PublishedItem } from "../library.ts";
import { buildSourceLine, isQuotationType } from "../pages/lines.ts";
import { sealInMainEdition } from "../pages/quotations/seals.ts";
import type { Seal } from "../pages/view.ts";
import type { Edition } from "../site/editions.ts";
import type { Look } from "../site/look/look.ts";
import { type Palette, paletteOf } from "../site/look/palette.ts";
import type { ShareCard } from "./share-pictures.ts";

const TEXT_CHARACTERS_MAX = 320;
const SOURCE_CHARACTERS_MAX = 150;

/** The content of an item's picture for link previews. */
export function buildShareCard(item: PublishedItem, edition: Edition): ShareCard {
  const { site, types } = edition;
  const { paper, ink, soft, accent, bad } = lightPalette(site.look);
  const colours = { paper, ink, soft, accent, bad };
  const isQuotationItem = isQuotationType(types, item.type);
  const text = cutAtWord(isQuotationItem ? item.text : item.title, TEXT_CHARACTERS_MAX);
  const seal = sealInMainEdition(item, types);
  const summary = item.hasOwnSummary ? cutAtWord(item.summary, SOURCE_CHARACTERS_MAX) : "";
  return {
    caution: seal?.isCaution === true ? seal.label : "",
    text,
    language: item.language,
    isQuotation: isQuotationItem,
    source: isQuotationItem ? sourceOf(item, { edition, seal }) : summary,
    site: site.name,
    ...colours,
  };
}

/**
 * Caches palettes, because finding legible colours takes longer than rendering the rest of a page.
 */
const palettes = new WeakMap<Look, Palette>();

function lightPalette(look: Look): Palette {
  const found = palettes.get(look) ?? paletteOf(look, "light");
  palettes.set(look, found);
  return found;
}

/**
 * The `source` of a share card: the item's source line, followed by the label of the seal unless the seal
 * is a warning. The seal shows how far the item can be trusted.
 */
function sourceOf(
  item: PublishedItem,
  { edition, seal }: { edition: Edition; seal: Seal | null },
): string {
  const pieces = buildSourceLine({ ...item, fields: {} }, edition, null).map((piece) =>
    typeof piece === "object" && "text" in piece ? piece.text : String(piece),
  );
  const line = cutAtWord(pieces.join(""), SOURCE_CHARACTERS_MAX);
  const word = seal === null || seal.isCaution ? "" : seal.label;
  return [line, word].filter((part) => part !== "").join(" · ");
}
