import { Parser } from "htmlparser2";

/**
 * Reads the start tags of a page. Ignores how elements nest: with open elements, the time of the parser would
 * grow with the square of their number.
 */
export function readOpenTags(
  html: string,
  onOpenTag: (name: string, attributes: Readonly<Record<string, string>>) => void,
): void {
  new FlatParser({ onopentag: onOpenTag }).end(html);
}

/** Takes no element for open, as if none had content. */
class FlatParser extends Parser {
  protected override isVoidElement(): boolean {
    return true;
  }
}
