const CHARACTERS_MAX = 200;

/**
 * The fragment that leads to a heading, as GitHub makes it, and with it Jekyll, Hugo, Docusaurus, VitePress
 * and Astro: `What's new?` → `whats-new`. Links to sections of a former site go on working so.
 */
export function headingId(heading: string): string {
  const id = heading
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-")
    .slice(0, CHARACTERS_MAX);
  return id === "" ? "section" : id;
}
