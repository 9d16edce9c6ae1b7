import { singularAndPluralForms } from "../content/lists/name-forms.ts";
import { isJsonObject, type JsonObject } from "./protocol/json.ts";

/**
 * Converts the value of an argument to the declared type, such as the text `"5"` to a number. A value that
 * cannot be converted is returned as is.
 *
 * @param property the JSON Schema of the argument.
 * @param onClamped called if a number was out of bounds. The result is then the nearest allowed number.
 */
export function convertToDeclaredType(
  value: unknown,
  property: JsonObject,
  onClamped: (bound: string) => void,
): unknown {
  const read = asType(value, property);
  const { minimum, maximum } = property;
  if (typeof read !== "number") return read;
  if (typeof maximum === "number" && read > maximum) {
    onClamped(`${maximum} is the most`);
    return maximum;
  }
  if (typeof minimum === "number" && read < minimum) {
    onClamped(`${minimum} is the least`);
    return minimum;
  }
  return read;
}

function asType(value: unknown, { type, enum: choices, anyOf }: JsonObject): unknown {
  if (typeof value === "string") {
    if (Array.isArray(anyOf)) return parseJsonText(value, "[") ?? value;
    return textAs(value, type, choices);
  }
  if (type === "object" && Array.isArray(value) && value.every(isJsonObject)) {
    return Object.fromEntries(value.flatMap((part) => Object.entries(part)));
  }
  if (type !== "string") return value;
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof single === "string") return textAs(single, type, choices);
  return typeof single === "number" ? String(single) : value;
}

function textAs(text: string, type: unknown, choices: unknown): unknown {
  switch (type) {
    case "integer":
      return /^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) : text;
    case "boolean":
      return BOOLEAN_WORDS.get(text.toLowerCase()) ?? text;
    case "array":
      return parseJsonText(text, "[") ?? [text];
    case "object":
      return parseJsonText(text, "{") ?? text;
    default:
      return Array.isArray(choices) ? matchingChoice(text, choices) : text;
  }
}

const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** Parses a JSON text that starts with `bracket`; null for any other text. */
function parseJsonText(text: string, bracket: "[" | "{"): unknown {
  if (!text.trimStart().startsWith(bracket)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function matchingChoice(text: string, choices: readonly unknown[]): string {
  const wanted = text.trim().toLowerCase();
  return (
    [wanted, ...singularAndPluralForms(wanted)].find((choice) => choices.includes(choice)) ?? text
  );
}
