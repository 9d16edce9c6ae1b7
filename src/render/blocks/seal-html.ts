import type { Seal } from "../../content/pages/view.ts";
import { html, type SafeHtml, trustedHtml } from "../html.ts";

/**
 * SVG paths of 16 × 16 units, keyed by the value of a seal. A seal is a mark that shows how far an item can
 * be trusted. Each seal has its own shape, so that readers need not see colours.
 */
const SEAL_SHAPES: Readonly<Record<string, string>> = {
  verified: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1M4.7 8.2l2.3 2.3 4.3-4.7",
  attributed: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1M4.9 8h.1M8 8h.1M11.1 8h.1",
  disputed: "M8 1.5 15 14.2H1zM8 6.2v3.6M8 11.9v.1",
  misattributed: "M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1zM5.5 5.5l5 5M10.5 5.5l-5 5",
};
/** The shapes of seals whose value {@link SEAL_SHAPES} lacks. */
const FALLBACK_SHAPES = { caution: "disputed", calm: "attributed" } as const;

/** A seal as an icon and a word, linked to its explanation if there is one. */
export function sealHtml({ value, label, isCaution, to }: Seal): SafeHtml {
  const path = SEAL_SHAPES[value] ?? SEAL_SHAPES[FALLBACK_SHAPES[isCaution ? "caution" : "calm"]];
  const inner = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>${label}`;
  const warns = isCaution && trustedHtml(" warns");
  return to === null
    ? html`<span class="seal${warns}">${inner}</span>`
    : html`<a class="seal${warns}" href="${to}">${inner}</a>`;
}
