import { AppError } from "../../errors.ts";

const ELEMENT_DEPTH_MAX = 250;

/**
 * @throws {AppError} `invalid` when elements nest too deep: the time of the HTML parser and the sanitiser
 * grows with the square of the depth.
 */
export function checkElementDepth(depth: number): void {
  if (depth <= ELEMENT_DEPTH_MAX) return;
  throw new AppError("invalid", {
    en: `HTML in the text nests deeper than ${ELEMENT_DEPTH_MAX} elements`,
    de: `HTML im Text ist tiefer als ${ELEMENT_DEPTH_MAX} Elemente verschachtelt`,
  });
}
