import type { Page } from "playwright-core";
import { z } from "zod";

/** What a browser finds in parts of a page. */
export interface PageContent {
  title: string;
  words: string[];
  /** Words of lists of the page's own headings, which the service makes itself. */
  ownContents: string[];
  /** The words of each, joined by spaces. */
  headings: string[];
  links: string[];
  preformatted: string[];
  /** Items of lists; consecutive terms of a list of definitions are one. */
  listItems: number;
  /** With two rows and columns at least, and no table within. */
  tables: number;
  /** Scripts in attributes. */
  handlers: number;
  /** Words of buttons and fields outside of forms that are no text: an import reports them. */
  looseFields: string[];
}

const contentSchema: z.ZodType<PageContent> = z.object({
  title: z.string(),
  words: z.array(z.string()),
  ownContents: z.array(z.string()),
  headings: z.array(z.string()),
  links: z.array(z.string()),
  preformatted: z.array(z.string()),
  listItems: z.number(),
  tables: z.number(),
  handlers: z.number(),
  looseFields: z.array(z.string()),
});

/** Reads the parts of the open page that `content` selects, without those that `chrome` selects. */
export async function contentOf(
  page: Page,
  { content, chrome = "" }: { content: string; chrome?: string },
): Promise<PageContent> {
  const words = JSON.stringify([content, chrome]);
  return contentSchema.parse(await page.evaluate(`(${READ})(...${words})`));
}

/** Runs in the page. A block ends a word, an inline element does not. */
const READ = `(content, chrome) => {
  const INLINE = new Set("a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark nobr q s samp small span strike strong sub sup tt u var wbr".split(" "));
  const title = document.title;
  const NEVER = "head, script, style, noscript, template, nav, [hidden], [aria-hidden=true], [role=navigation], [role=search], .headerlink, annotation-xml, svg :is(defs, metadata, symbol), form :is(input, select, button, textarea, label), input[type=hidden], input[type=checkbox], input[type=radio]";
  for (const gone of document.querySelectorAll(NEVER + (chrome === "" ? "" : ", " + chrome))) gone.remove();
  for (const each of document.querySelectorAll("iframe[src], embed[src]")) {
    const link = document.createElement("a");
    link.href = each.getAttribute("src");
    link.textContent = each.title || each.getAttribute("src");
    each.replaceWith(link);
  }
  for (const each of document.querySelectorAll("math")) {
    const tex = each.querySelector("annotation[encoding*=tex i]");
    if (tex !== null) each.replaceChildren(tex);
  }
  const roots = [...document.querySelectorAll(content)].filter((each) => each.parentElement?.closest(content) === null);
  const textOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE) return "";
    const inner = [...node.childNodes].map(textOf).join("");
    return INLINE.has(node.localName) ? inner : " " + inner + " ";
  };
  const wordsOf = (node) => textOf(node).normalize("NFC").match(/[\\p{L}\\p{N}]+/gu) ?? [];
  const all = (selector) => roots.flatMap((root) => [...(root.matches(selector) ? [root] : []), ...root.querySelectorAll(selector)]);
  const isText = (field) => field.localName === "button" && (wordsOf(field).length > 2 || field.closest("h1, h2, h3, h4, h5, h6, summary, dt") !== null || field.matches("[aria-expanded], [aria-controls], [data-toggle], [data-bs-toggle]"));
  const loose = all("button, select, datalist, input").filter((field) => !isText(field));
  const looseFields = loose.map((field) => (wordsOf(field).join(" ") || field.value || field.placeholder || "").trim()).filter((text) => text !== "");
  for (const each of loose) each.remove();
  const texts = (elements) => elements.map((each) => wordsOf(each).join(" ")).filter((text) => text !== "");
  const isWithin = (link) => link.getAttribute("href").startsWith("#") || link.href.split("#")[0] === location.href.split("#")[0];
  const heading = all("h1")[0];
  const leadsSomewhere = (link) => {
    const name = link.getAttribute("href").replace(/^#/, "");
    if (name === link.getAttribute("href")) return true;
    const target = decodeURIComponent(name);
    return name === "" || name === "top" || document.getElementById(target) !== null || document.getElementsByName(target).length > 0;
  };
  const contents = all(".toc, #toc, .contents, .table-of-contents, #table-of-contents, ul, dl").filter((each) => {
    const links = [...each.querySelectorAll("a[href]")];
    const linked = links.reduce((sum, link) => sum + wordsOf(link).length, 0);
    return links.length > 1 && links.every(isWithin) && linked >= 0.7 * wordsOf(each).length;
  }).filter((each, at, list) => !list.some((other) => other !== each && other.contains(each)));
  const ownContents = contents.flatMap(wordsOf);
  for (const each of contents) each.remove();
  return {
    title,
    looseFields,
    words: roots.flatMap(wordsOf),
    ownContents,
    headings: texts(all("h1, h2, h3, h4, h5, h6")),
    links: texts(all("a[href]").filter((each) => !heading?.contains(each) && leadsSomewhere(each)).filter((each) => !/^[a-z]+:/i.test(each.getAttribute("href")) || /^(?:https?|mailto|tel):$/.test(each.protocol))),
    preformatted: texts(all("pre").filter((each) => each.parentElement?.closest("pre") === null)),
    listItems: all("li").filter((each) => wordsOf(each).length > 0).length
      + all("dt").filter((each) => each.previousElementSibling?.localName !== "dt").length,
    tables: all("table").filter((each) => {
      const rows = [...each.rows].filter((row) => [...row.cells].filter((cell) => wordsOf(cell).length > 0).length > 1);
      return rows.length > 1 && each.querySelector("table") === null;
    }).length,
    handlers: all("*").filter((each) => [...each.attributes].some(({ name, value }) => name.startsWith("on") || /^\\s*javascript:/i.test(value))).length,
  };
}`;
