const CHARACTERS_MAX = 200;

/**
 * The fragment of a heading, in the form GitHub, Jekyll, Hugo, Docusaurus, VitePress and Astro use
 * (`What's new?` → `whats-new`), so that links to sections of a former site keep working.
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
