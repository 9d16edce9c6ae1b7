import type { ContentTypes } from "../../../../content/types/content-type.ts";
import { typesInEdition } from "../../../../content/types/type-names.ts";
import { siteTexts } from "../../../../texts/site/site-texts.ts";
import type { ScreenVisit } from "./screen.ts";

/** The types of the site with labels in the language of the screens. */
export async function readTypesWithScreenLabels({
  parts,
  texts: { language },
}: Pick<ScreenVisit, "parts" | "texts">): Promise<ContentTypes> {
  return typesWithScreenLabels(await parts.stores.content.types(), language);
}

/** Like {@link readTypesWithScreenLabels}, for types that the caller has already loaded. */
export function typesWithScreenLabels(types: ContentTypes, language: string): ContentTypes {
  return typesInEdition(types, { language, texts: siteTexts(language), prefix: "" });
}
