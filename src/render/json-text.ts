import type { FieldValue } from "../content/types/content-type.ts";

/** JSON that is built as text, which is a third faster than building and serializing objects. */
export type JsonText = string;

export function toJson(value: FieldValue): JsonText {
  return JSON.stringify(value);
}

/**
 * A member of an object, preceded by a comma; empty if the value is missing or empty.
 */
export function jsonMember(name: string, value: FieldValue | undefined): JsonText {
  if (value === undefined || value === "") return "";
  if (typeof value === "object" && value.length === 0) return "";
  return `,"${name}":${toJson(value)}`;
}

/** A JSON list, or the value itself if there is only one. */
export function jsonValueOrList(values: readonly JsonText[]): JsonText {
  return values.length === 1 ? values.join() : `[${values.join()}]`;
}
