import type { Wording } from "../../../../errors.ts";
import { TITLE_CHARACTERS_MAX } from "../../../items/item.ts";
import { isRecord } from "../../item-parsing.ts";

/** An author or topic that front matter names. */
export interface NamedTerm {
  name: string;
  /** An external page about the author. */
  url?: string;
  /** The addresses of the term's pages on the former site. */
  formerAddresses?: readonly string[];
}

/** The ways in which site generators split a string where a list is expected. */
export type ListSyntax = "whole" | "words" | "commas" | "words-and-commas";

const LIST_SEPARATORS: Readonly<Record<ListSyntax, RegExp>> = {
  whole: /(?!)/,
  words: /\s+/,
  commas: /,/,
  "words-and-commas": /[\s,]+/,
};

const LIST_DEPTH_MAX = 5;

/** The values of a key, with nested lists flattened. */
export function flattenListValues(raw: unknown, listInText: ListSyntax): unknown[] {
  if (raw === null || raw === undefined) return [];
  if (typeof raw === "string") {
    return raw.split(LIST_SEPARATORS[listInText]).map((part) => part.replace(/(?<!,),+$/, ""));
  }
  return Array.isArray(raw) ? raw.flat(LIST_DEPTH_MAX) : [raw];
}

/** Keys for the name, id and URL of an author or topic, if front matter has an object rather than a name. */
const NAME_KEYS = ["name", "label", "title"] as const;
const ID_KEYS = ["key", "id", "slug", "to"] as const;
const URL_KEYS = ["url", "website", "web", "uri"] as const;

const NO_NAME: Wording = {
  en: "is not a name and is left out",
  de: "ist kein Name und wird weggelassen",
};
const NAME_TOO_LONG: Wording = {
  en: `a name of more than ${TITLE_CHARACTERS_MAX} characters is left out`,
  de: `ein Name mit mehr als ${TITLE_CHARACTERS_MAX} Zeichen wird weggelassen`,
};
const NAME_IS_MAIL_ADDRESS: Wording = {
  en: "an e-mail address is not a name and is left out",
  de: "eine E-Mail-Adresse ist kein Name und wird weggelassen",
};

/** The author or topic that a front matter value names; null: the value is empty. */
export function parseTerm(value: unknown): NamedTerm | { fault: Wording } | null {
  if (value === null || value === undefined || value === "" || value === false) return null;
  if (isRecord(value)) {
    const name = textAt(value, NAME_KEYS) ?? textAt(value, ID_KEYS);
    const url = webAddress(textAt(value, URL_KEYS));
    const term = name === null ? { fault: NO_NAME } : parseTerm(name);
    return term === null || "fault" in term || url === null ? term : { ...term, url };
  }
  const isText = typeof value === "string" || typeof value === "number" || value instanceof Date;
  if (!isText) return { fault: NO_NAME };
  const text = value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
  const name = text
    .slice(0, TITLE_CHARACTERS_MAX * 4)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(/ ?<[^<>]{0,300}@[^<>]{0,300}> ?$/, "")
    .trim();
  if (name === "") return null;
  if (name.length > TITLE_CHARACTERS_MAX) return { fault: NAME_TOO_LONG };
  return /^\S+@\S+\.\S+$/.test(name) ? { fault: NAME_IS_MAIL_ADDRESS } : { name };
}

function textAt(value: Record<string, unknown>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = value[key];
    if (typeof text === "number") return String(text);
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return null;
}

const URL_CHARACTERS_MAX = 1000;

function webAddress(text: string | null): string | null {
  const url = text === null || text.length > URL_CHARACTERS_MAX ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
