import { Parser } from "htmlparser2";

/**
 * Calls a function for each element of a part of a Word document, in order. The names of elements and
 * attributes are passed without their prefixes.
 */
export function forEachXmlElement(
  xml: string,
  onElement: (name: string, attributes: Partial<Record<string, string>>) => void,
): void {
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const named = Object.entries(attributes).map(([key, value]) => [local(key), value]);
        onElement(local(name), Object.fromEntries(named));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
