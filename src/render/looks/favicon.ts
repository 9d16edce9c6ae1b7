import { paletteOf } from "../../content/site/look/palette.ts";
import type { SiteProfile } from "../../content/site/site.ts";
import { html } from "../html.ts";

/** The first letter of the site's name on its accent colour, as SVG. */
export function faviconSvg({ name, look }: Pick<SiteProfile, "name" | "look">): string {
  const { accent, onAccent } = paletteOf(look, "light");
  const [letter = ""] = name.replace(/^(?:the|der|die|das|le|la|les|el|los|las)\s+/iu, "");
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="${accent}"/><text x="16" y="23" font-family="Georgia, serif" font-size="20" font-weight="700" text-anchor="middle" fill="${onAccent}">${letter.toUpperCase()}</text></svg>
`.text;
}
