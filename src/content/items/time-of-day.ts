import type { Wording } from "../../errors.ts";

const TIME_OF_DAY = /^(?:[01]?\d|2[0-3]):[0-5]\d$/;

export const TIME_HINT: Wording = {
  en: "give a time of day, such as 19:30",
  de: "Geben Sie eine Uhrzeit an, zum Beispiel 19:30",
};

/** Matches `19.30 Uhr`, `19 Uhr`, `19h30`, `7:30 pm`. */
const SPOKEN_TIME = /^(\d{1,2})(?:[:.h](\d{2}))?\s*(uhr|h|a\.?m\.?|p\.?m\.?)?$/i;

/**
 * Converts a time of day in a common notation, such as `7:30 pm`, to `H:MM` or `HH:MM`. Null if the
 * text is not a time of day.
 */
export function parseTimeOfDay(text: string): string | null {
  if (TIME_OF_DAY.test(text)) return text;
  const [, hours = "", minutes = "00", unit = ""] = SPOKEN_TIME.exec(text.trim()) ?? [];
  if (hours === "") return null;
  const meridiem = unit.charAt(0).toLowerCase();
  const isTwelveHour = meridiem === "a" || meridiem === "p";
  if (isTwelveHour && (Number(hours) < 1 || Number(hours) > 12)) return null;
  const hour = isTwelveHour ? (Number(hours) % 12) + (meridiem === "p" ? 12 : 0) : Number(hours);
  const time = `${String(hour).padStart(2, "0")}:${minutes}`;
  return TIME_OF_DAY.test(time) ? time : null;
}
