import type { SiteClient } from "./check-site.ts";

const LINKS_FOLLOWED_MAX = 12;

/** Requests an evenly spread sample of the links within the site. Returns a sentence for each broken link. */
export async function findBrokenLinks(
  site: SiteClient,
  links: readonly string[],
  isPage: (link: string) => boolean = () => true,
): Promise<string[]> {
  const ownLinks = [...new Set(links)].filter(
    (link) => link.startsWith(`${site.declaredOrigin}/`) && isPage(link),
  );
  const step = Math.max(1, Math.floor(ownLinks.length / LINKS_FOLLOWED_MAX));
  const sample = ownLinks
    .filter((_, position) => position % step === 0)
    .slice(0, LINKS_FOLLOWED_MAX);
  const faults: string[] = [];
  for (const link of sample) {
    const { status } = await site.get(link);
    if (status !== 200) faults.push(`its link ${link} answers ${status}`);
  }
  return faults;
}
