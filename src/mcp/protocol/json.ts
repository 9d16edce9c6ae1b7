import { bytesOf } from "../../render/bytes.ts";

/** A JSON object of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON in UTF-8 with a character for each byte, as it goes to the socket. */
export function jsonBytes(value: unknown): string {
  return bytesOf(JSON.stringify(value));
}
