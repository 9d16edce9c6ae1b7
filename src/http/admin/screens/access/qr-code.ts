import { encodeQR } from "qr";
import { html, type SafeHtml } from "../../../../render/html.ts";

/** Width of the margin around the code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A text as a QR code in inline SVG, so that no URL contains a secret. */
export function qrCode(text: string, label: string): SafeHtml {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE });
  const size = rows.length;
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="${rows.map(darkRuns).join("")}"/></svg>\n`;
}

/** The dark modules of a row as an SVG path. Adjacent modules share a rectangle. */
function darkRuns(row: readonly boolean[], y: number): string {
  const modules = row.map((isDark) => (isDark ? "1" : "0")).join("");
  const runs = [...modules.matchAll(/1+/g)];
  return runs.map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join("");
}
