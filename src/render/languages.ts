const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]);
const RIGHT_TO_LEFT_SCRIPTS = /-(arab|hebr|syrc|thaa)\b/i;

/** Writing direction of a language; `language` is a BCP 47 tag. */
export function writingDirectionOf(language: string): "ltr" | "rtl" {
  const [primary = ""] = language.toLowerCase().split("-");
  const isRightToLeft = RIGHT_TO_LEFT.has(primary) || RIGHT_TO_LEFT_SCRIPTS.test(language);
  return isRightToLeft && !/-latn\b/i.test(language) ? "rtl" : "ltr";
}
