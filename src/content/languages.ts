/** The language of a BCP 47 tag without region and script: `pt-BR` is `pt`; both Norwegians are `no`. */
export function baseLanguage(tag: string): string {
  const [base = ""] = tag.toLowerCase().split("-");
  return base === "nb" || base === "nn" ? "no" : base;
}
