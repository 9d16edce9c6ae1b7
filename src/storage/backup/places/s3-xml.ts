import { Parser } from "htmlparser2";
import { AppError, type Wording } from "../../../errors.ts";

/** A response of S3 lists at most 1,000 objects, in fewer than 20,000 elements. */
const ELEMENTS_MAX = 100_000;

/** An XML element of an S3 response. */
export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

/**
 * Returns the root element; null if there is none.
 *
 * @throws {AppError} `unavailable` if there are too many elements.
 */
export function parseS3Xml(text: string): XmlElement | null {
  const top: XmlElement = { name: "", text: "", children: [] };
  const open = [top];
  let elements = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        elements += 1;
        if (elements > ELEMENTS_MAX) throw new AppError("unavailable", TOO_MANY);
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

/** Text of the first child with this name; empty if there is none. */
export function childText(element: XmlElement | null, name: string): string {
  return element?.children.find((child) => child.name === name)?.text.trim() ?? "";
}

export function childrenNamed(element: XmlElement | null, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

const TOO_MANY: Wording = {
  en: "The S3 store gives an answer with too many parts",
  de: "Der S3-Speicher gibt eine Antwort mit zu vielen Teilen",
};
