import type { Problem } from "../../../errors.ts";
import { contrastRatio, ensureLegibleColour } from "./colour.ts";
import type { Look } from "./look.ts";
import { baseColours, COLOUR_SCHEMES, type ColourScheme, TEXT_CONTRAST_MIN } from "./palette.ts";
import { parseSiteCss } from "./site-css.ts";

/** Reasons why a look cannot be used: illegible colours and forbidden style rules. */
export function findLookProblems(look: Look): Problem[] {
  const css = look.css === undefined ? [] : parseSiteCss(look.css).faults;
  return [
    ...COLOUR_SCHEMES.flatMap((scheme) => contrastFaults(look, scheme)),
    ...css.map(({ line, message }) => ({
      where: "look.css",
      message: { en: `line ${line}: ${message.en}`, de: `Zeile ${line}: ${message.de}` },
    })),
  ];
}

function contrastFaults(look: Look, scheme: ColourScheme): Problem[] {
  const { paper, ink, accent } = baseColours(look, scheme);
  const setting = scheme === "dark" && look.dark !== undefined ? "look.dark" : "look";
  return Object.entries({ ink, accent }).flatMap(([name, colour]) => {
    const ratio = contrastRatio(colour, paper);
    if (ratio >= TEXT_CONTRAST_MIN) return [];
    const nearest = ensureLegibleColour(colour, [paper], TEXT_CONTRAST_MIN);
    const schemeGerman = scheme === "dark" ? "dunklen" : "hellen";
    const message = {
      en: `${colour} on the ${scheme} paper ${paper} has a contrast of ${roundedDown(ratio)} to 1, and text needs ${TEXT_CONTRAST_MIN}. The nearest that passes is ${nearest}`,
      de: `${colour} hat auf dem ${schemeGerman} Papier ${paper} einen Kontrast von ${roundedDown(ratio)} zu 1, und Text braucht ${TEXT_CONTRAST_MIN}. Die nächste Farbe, die genügt, ist ${nearest}`,
    };
    return [{ where: `${setting}.${name}`, message }];
  });
}

/** Rounds down, so that 4.499 is not shown as 4.5, the required ratio. */
function roundedDown(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}
