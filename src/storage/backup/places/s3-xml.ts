import { Parser } from "htmlparser2";

/** An element of an answer of S3. */
export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

/** The root element; null for a text without one. */
export function readXml(text: string): XmlElement | null {
  const top: XmlElement = { name: "", text: "", children: [] };
  const open = [top];
  const parser = new Parser(
    {
      onopentagname(name) {
        const element = { name, text: "", children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(piece) {
        const element = open.at(-1);
        if (element !== undefined) element.text += piece;
      },
      onclosetag: () => open.pop(),
    },
    { xmlMode: true },
  );
  parser.end(text);
  return top.children[0] ?? null;
}

/** Empty if there is no such child. */
export function childText(element: XmlElement | null, name: string): string {
  return element?.children.find((child) => child.name === name)?.text.trim() ?? "";
}

export function childrenNamed(element: XmlElement | null, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}
