/** The language of a BCP 47 tag without region and script: `pt-BR` is `pt`; both Norwegians are `no`. */
export function baseLanguage(tag: string): string {
  const end = tag.indexOf("-");
  const base = (end === -1 ? tag : tag.slice(0, end)).toLowerCase();
  return base === "nb" || base === "nn" ? "no" : base;
}
