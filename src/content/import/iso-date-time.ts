/** Converts Jekyll's `2024-02-01 9:00:00 +0200` to ISO 8601; returns other texts unchanged. */
export function isoDateTime(text: string): string {
  return text.trim().replace(/^(\S+) (\S+?)(?: ?(\S+))?$/, (_text, day, time, zone = "") => {
    const offset = String(zone).replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
    return `${day}T${String(time).replace(/^(?=\d:)/, "0")}${offset}`;
  });
}
