/** Characters that XML 1.0 cannot represent, even escaped. */
const FORBIDDEN_CHARACTERS = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const XML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escapes text for element content or a quoted attribute value. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(FORBIDDEN_CHARACTERS, "")
    .replaceAll(/[&<>"']/g, (character) => XML_ENTITIES[character] ?? "");
}
