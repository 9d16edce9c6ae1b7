/** The language subtag of a BCP 47 tag: `pt` for `pt-BR`; `no` for both forms of Norwegian. */
export function baseLanguage(tag: string): string {
  const end = tag.indexOf("-");
  const base = (end === -1 ? tag : tag.slice(0, end)).toLowerCase();
  return base === "nb" || base === "nn" ? "no" : base;
}
