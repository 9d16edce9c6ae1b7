import type { FieldValue } from "../content/types/content-type.ts";

/** JSON written as text, which takes two thirds of what objects take to be made and written. */
export type JsonText = string;

/** A value as it stands in JSON. */
export function toJson(value: FieldValue): JsonText {
  return JSON.stringify(value);
}

/** One more member of an object, behind others; nothing where the value is missing or empty. */
export function member(name: string, value: FieldValue | undefined): JsonText {
  if (value === undefined || value === "") return "";
  if (typeof value === "object" && value.length === 0) return "";
  return `,"${name}":${toJson(value)}`;
}

/** A list, or what there is alone. */
export function oneOrMore(values: readonly JsonText[]): JsonText {
  return values.length === 1 ? values.join() : `[${values.join()}]`;
}
