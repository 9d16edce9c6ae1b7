import { type CostlyText, repeated } from "./pieces.ts";

/** Table cells in which a search for tags or quotation marks may take long. */
export const COSTLY_CELLS: Readonly<Record<string, CostlyText>> = {
  "tags that do not end": repeated("<"),
  "paragraphs that do not end": repeated("<p "),
  "links that do not end": repeated("]("),
  "quotation marks": (characters) => `a${"'".repeat(characters)}a`,
};
