import { Parser } from "htmlparser2";
import Papa from "papaparse";

/**
 * The addresses in a sitemap, or in the first column of a list, as paths: the former site may have
 * had another host.
 */
export function addressesIn(text: string): string[] {
  const addresses = /<(?:urlset|sitemapindex)\b/.test(text.slice(0, 2000))
    ? locationsIn(text)
    : Papa.parse<string[]>(text, { skipEmptyLines: "greedy" }).data.map(([first = ""]) => first);
  const paths = addresses.flatMap((address) => pathIn(address.trim()) ?? []);
  return [...new Set(paths)];
}

function pathIn(address: string): string | null {
  if (!/^(?:\/|https?:\/\/)/i.test(address)) return null;
  const url = URL.parse(address, "https://site.invalid");
  return url === null ? null : url.pathname + url.search;
}

function locationsIn(xml: string): string[] {
  const locations: string[] = [];
  let isLocation = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        isLocation = name === "loc";
        if (isLocation) locations.push("");
      },
      ontext(text) {
        if (isLocation) locations.push((locations.pop() ?? "") + text);
      },
      onclosetag() {
        isLocation = false;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return locations;
}
