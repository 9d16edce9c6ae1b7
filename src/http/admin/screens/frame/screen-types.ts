import type { ContentTypes } from "../../../../content/types/content-type.ts";
import { typesIn } from "../../../../content/types/type-names.ts";
import { siteTexts } from "../../../../texts/site/site-texts.ts";
import type { ScreenVisit } from "./screen.ts";

/** The types of the site, their fields and values called as in the language of the screens. */
export async function screenTypes({
  parts,
  texts: { language },
}: Pick<ScreenVisit, "parts" | "texts">): Promise<ContentTypes> {
  return typesOnScreens(await parts.stores.content.types(), language);
}

/** The same of types that were read. */
export function typesOnScreens(types: ContentTypes, language: string): ContentTypes {
  return typesIn(types, { language, texts: siteTexts(language), prefix: "" });
}
