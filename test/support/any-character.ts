import fc from "fast-check";

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/** Any character there is. fast-check's own unit "binary" takes seconds of each file to list them. */
export const anyCharacter = fc
  .nat(0x10ffff - SURROGATES)
  .map((number) => String.fromCodePoint(number < SURROGATES_FROM ? number : number + SURROGATES));
