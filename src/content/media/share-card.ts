import { cutAtWord } from "../../search/language/folding.ts";
import type { PublishedItem } from "../library.ts";
import { isQuotation, sourceLine } from "../pages/lines.ts";
import { cautionOf } from "../pages/quotations/seals.ts";
import type { Edition } from "../site/editions.ts";
import type { Look } from "../site/look/look.ts";
import { type Palette, paletteOf } from "../site/look/palette.ts";
import type { ShareCard } from "./share-pictures.ts";

const TEXT_CHARACTERS_MAX = 320;
const SOURCE_CHARACTERS_MAX = 150;

/** The content of an item's picture for link previews. */
export function shareCard(item: PublishedItem, edition: Edition): ShareCard {
  const { site, types } = edition;
  const { paper, ink, soft, accent } = lightPalette(site.look);
  const colours = { paper, ink, soft, accent };
  const isSaying = isQuotation(types, item.type);
  const text = cutAtWord(isSaying ? item.text : item.title, TEXT_CHARACTERS_MAX);
  const source = isSaying ? sourceOf(item, edition) : item.hasOwnSummary ? item.summary : "";
  return {
    text,
    language: item.language,
    isQuotation: isSaying,
    source: cutAtWord(source, SOURCE_CHARACTERS_MAX),
    site: site.name,
    ...colours,
  };
}

/** Cached, because finding legible colours takes longer than rendering the rest of a page. */
const palettes = new WeakMap<Look, Palette>();

function lightPalette(look: Look): Palette {
  const found = palettes.get(look) ?? paletteOf(look, "light");
  palettes.set(look, found);
  return found;
}

/** The source line, after a warning if the item has one. */
function sourceOf(item: PublishedItem, edition: Edition): string {
  const caution = cautionOf(item, edition.types);
  const line = sourceLine({ ...item, fields: {} }, edition, null).map((piece) =>
    typeof piece === "object" && "text" in piece ? piece.text : String(piece),
  );
  return (caution === null ? "" : `${caution.label}: `) + line.join("");
}
