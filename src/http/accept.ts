/** The representations in which every page is available. */
export type PageVariant = "html" | "markdown";

interface Range {
  type: string;
  quality: number;
}

/**
 * Selects the representation by the Accept header (RFC 9110, section 12.5.1). Markdown is selected
 * if the header names it with at least the quality of HTML, because agents send both at equal
 * quality. A wildcard selects Markdown only if HTML is excluded.
 *
 * @returns null when the client accepts neither.
 */
export function choosePageVariant(accept: string | undefined): PageVariant | null {
  const ranges = parseAccept(accept);
  if (ranges.length === 0) return "html";
  const html = qualityOf("text/html", ranges);
  const markdown = qualityOf("text/markdown", ranges);
  if (includesType(ranges, "text/markdown") && markdown > 0 && markdown >= html) return "markdown";
  if (html > 0) return "html";
  return markdown > 0 ? "markdown" : null;
}

/**
 * Selects the representation of an error: HTML if the header names it, problem details for clients
 * that accept only JSON, otherwise Markdown, which every agent can read.
 */
export function chooseErrorVariant(accept: string | undefined): PageVariant | "problem" {
  const ranges = parseAccept(accept);
  if (includesType(ranges, "text/html") && choosePageVariant(accept) === "html") return "html";
  const isJsonOnly = ranges.length > 0 && ranges.every(({ type }) => /[/+]json$/.test(type));
  return isJsonOnly ? "problem" : "markdown";
}

function parseAccept(accept: string | undefined): Range[] {
  return (accept ?? "").split(",").flatMap((part) => {
    const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return [];
    return [{ type, quality: parseQualityParameter(parameters) }];
  });
}

/**
 * The `q` parameter. Defaults to 1 if missing or malformed, because the client still accepts the
 * type.
 */
export function parseQualityParameter(parameters: readonly string[]): number {
  const qParameter = parameters.find((parameter) => parameter.startsWith("q="));
  if (qParameter === undefined) return 1;
  const quality = Number(qParameter.slice(2));
  return Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 1;
}

/** The quality of the most specific range that matches the type. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const family = `${type.split("/")[0]}/*`;
  for (const candidate of [type, family, "*/*"]) {
    const matching = ranges.filter((range) => range.type === candidate);
    if (matching.length > 0) return Math.max(...matching.map(({ quality }) => quality));
  }
  return 0;
}

function includesType(ranges: readonly Range[], type: string): boolean {
  return ranges.some((range) => range.type === type);
}
