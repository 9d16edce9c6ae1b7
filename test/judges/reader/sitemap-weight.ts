import { Parser } from "htmlparser2";
import { CHROME } from "../../../bench/load/clients.ts";
import type { Verdict } from "../verdict.ts";
import { verdict } from "./layout.ts";
import { patientFetch } from "./patient-fetch.ts";
import { BYTES_MAX, HTML_BYTES_MAX, REQUESTS_MAX } from "./weight.ts";

const AT_ONCE = 2;

interface Answer {
  headers: Headers;
  text: string;
  /** As transferred, compressed. */
  bytes: number;
}

interface PageParts {
  /** Addresses of what a browser loads with the page, but for pictures and fonts. */
  loaded: string[];
  scripts: number;
}

/** Weighs pages of the sitemap, the first and then one of so many, as a first visit transfers them, without a browser. */
export async function judgeSitemapWeight(origin: string, oneOf: number): Promise<Verdict[]> {
  const sitemap = await ask(`${origin}/sitemap.xml`);
  const listed = [...sitemap.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => url);
  const queue = listed.filter((_, place) => place % oneOf === 0);
  const count = queue.length;
  const files = new Map<string, Promise<number>>();
  const heavy: string[] = [];
  const scripts: string[] = [];
  const most = { bytes: 0, html: 0, requests: 0 };

  async function weigh(url: string): Promise<void> {
    const page = await ask(url);
    const { loaded, scripts: found } = partsOf(page);
    let bytes = page.bytes;
    for (const path of loaded) bytes += await fileBytes(new URL(path, url).href, files);
    const html = Buffer.byteLength(page.text);
    const requests = 1 + loaded.length;
    if (bytes > BYTES_MAX || html > HTML_BYTES_MAX || requests > REQUESTS_MAX) {
      heavy.push(`${url}: ${requests} requests, ${bytes} bytes, HTML of ${html}`);
    }
    if (found > 0) scripts.push(url);
    most.bytes = Math.max(most.bytes, bytes);
    most.html = Math.max(most.html, html);
    most.requests = Math.max(most.requests, requests);
  }
  async function worker(): Promise<void> {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) await weigh(url);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const said = `${most.requests} requests, ${most.bytes} bytes, HTML of ${most.html}`;
  return [
    verdict(`${count} of ${listed.length} pages of the sitemap: too heavy (most: ${said})`, heavy),
    verdict("pages of the sitemap with scripts", scripts),
  ];
}

async function ask(url: string): Promise<Answer> {
  const answer = await patientFetch(url, CHROME);
  const text = await answer.text();
  const bytes = Number(answer.headers.get("content-length") ?? Number.NaN);
  if (!(bytes > 0)) throw new Error(`${url} does not say how long it is`);
  return { headers: answer.headers, text, bytes };
}

function fileBytes(url: string, known: Map<string, Promise<number>>): Promise<number> {
  const bytes = known.get(url) ?? ask(url).then((answer) => answer.bytes);
  known.set(url, bytes);
  return bytes;
}

function partsOf({ text, headers }: Answer): PageParts {
  const rules = /^"([^"]+)"$/.exec(headers.get("speculation-rules") ?? "")?.[1];
  const parts: PageParts = { loaded: rules === undefined ? [] : [rules], scripts: 0 };
  const parser = new Parser({
    onopentag(name, { rel, href, src, type }) {
      if (name === "link" && rel === "stylesheet" && href !== undefined) parts.loaded.push(href);
      if (name !== "script" || type === "application/ld+json") return;
      parts.scripts += 1;
      if (src !== undefined) parts.loaded.push(src);
    },
  });
  parser.end(text);
  return parts;
}
