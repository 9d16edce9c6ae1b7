/** Who writes: the site, as its mails name it. */
export interface Writer {
  siteName: string;
  /** Where the editors read mail. */
  email: string;
  /** Public origin of the site. */
  origin: string;
}

/** The parts of a mail with an empty line between; parts that are null are left out. */
export function letterText(...parts: (string | null)[]): string {
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

/** What somebody else wrote, marked as such. */
export function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** On one line, as a subject has to be. */
export function subjectLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, " ").trim();
}

export function signature({ siteName, origin }: Writer): string {
  return `${siteName}\n${origin}/`;
}

/** "28 November 2026, 12:00 UTC". */
export function shownMoment(time: string): string {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return `${day.format(new Date(time))}, ${time.slice(11, 16)} UTC`;
}
