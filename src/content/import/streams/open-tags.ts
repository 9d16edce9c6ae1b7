import { Parser } from "htmlparser2";

/**
 * Reads the start tags of a page. Ignores how elements nest: with open elements, the time of the parser would
 * grow with the square of their number.
 */
export function readStartTags(
  html: string,
  onOpenTag: (name: string, attributes: Readonly<Record<string, string>>) => void,
): void {
  new FlatParser({ onopentag: onOpenTag }).end(html);
}

/** Treats every element as one without content, so that no element stays open. */
class FlatParser extends Parser {
  protected override isVoidElement(): boolean {
    return true;
  }
}
