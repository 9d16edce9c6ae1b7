import { toByteString } from "../../render/byte-string.ts";

/** A JSON object with unknown properties. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON as a binary string: one character per UTF-8 byte, as it is written to the socket. */
export function toJsonByteString(value: unknown): string {
  return toByteString(JSON.stringify(value));
}
