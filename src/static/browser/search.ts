import { cutAtWord } from "../../search/language/folding.ts";
import { type FoundItems, findItems, readListEntries } from "./finding.ts";
import { splitAroundMatches } from "./marking.ts";

/**
 * The script of the search page of a static site. It shows the items that contain the words in the page's
 * address.
 */

const ENTRIES_PER_PAGE = 20;
const REPEATED_CHARACTERS_MAX = 100;

const place = document.querySelector<HTMLElement>("#found");
const field = document.querySelector<HTMLInputElement>("#search-page");
const parameters = new URLSearchParams(location.search);
const text = parameters.get("q")?.trim() ?? "";
if (place !== null && field !== null && text !== "") {
  field.value = text;
  await showFound(place);
}

async function showFound(found: HTMLElement): Promise<void> {
  const { titled = "", results = "{}", nothing = "", shortened = "", failed = "" } = found.dataset;
  const { language = "en" } = found.dataset;
  const heading = document.querySelector("h1");
  if (heading !== null) {
    const title = withText(titled);
    document.title = document.title.replace(heading.textContent, () => title);
    heading.textContent = title;
  }
  const status = found.querySelector('[role="status"]');
  const say = (line: string) => {
    if (status !== null) status.textContent = line;
  };
  try {
    const { numbers, forms, isShortened } = await findItems(text, readText);
    const { length } = numbers;
    const line = length === 0 ? withText(nothing) : countLine(length, results, language);
    await showPage(found, { numbers, forms });
    say(isShortened ? `${line} ${shortened}` : line);
    found.querySelector("[hidden]")?.toggleAttribute("hidden", numbers.length > 0);
  } catch {
    say(failed);
  }
}

async function readText(name: string): Promise<string> {
  const answer = await fetch(`${place?.dataset["index"]}/${name}`);
  if (!answer.ok) throw new Error(`${name} answers ${answer.status}`);
  return await answer.text();
}

function withText(template: string): string {
  return template.replace("{text}", () => cutAtWord(text, REPEATED_CHARACTERS_MAX));
}

/** @param forms JSON: a text for each plural category of the language. */
function countLine(count: number, forms: string, language: string): string {
  const templates: Record<string, string> = JSON.parse(forms);
  const template =
    templates[new Intl.PluralRules(language).select(count)] ?? templates["other"] ?? "";
  return withText(template.replace("{count}", new Intl.NumberFormat(language).format(count)));
}

async function showPage(
  found: HTMLElement,
  { numbers, forms }: Pick<FoundItems, "numbers" | "forms">,
): Promise<void> {
  const pages = Math.ceil(numbers.length / ENTRIES_PER_PAGE);
  if (pages === 0) return;
  const page = Math.min(Math.max(1, Number(parameters.get("page")) || 1), pages);
  const shown = numbers.slice((page - 1) * ENTRIES_PER_PAGE, page * ENTRIES_PER_PAGE);
  const list = document.createElement("ul");
  list.className = "entries";
  // Safe to insert as HTML, because the export that wrote this page also wrote the entries and
  // escaped them.
  list.innerHTML = (await readListEntries(shown, readText)).join("");
  markWords(list, forms);
  found.append(list);
  if (pages > 1) found.append(paging(page, pages, found.dataset));
}

function markWords(list: HTMLElement, forms: ReadonlySet<string>): void {
  const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
  const nodes: Node[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    const pieces = splitAroundMatches(node.textContent ?? "", forms);
    if (pieces.length === 1 || !(node instanceof Text)) continue;
    node.replaceWith(...pieces.map((piece, at) => (at % 2 === 0 ? piece : markOf(piece))));
  }
}

function markOf(word: string): HTMLElement {
  const mark = document.createElement("mark");
  mark.textContent = word;
  return mark;
}

function paging(page: number, pages: number, texts: DOMStringMap): HTMLElement {
  const navigation = document.createElement("nav");
  navigation.className = "paging";
  navigation.ariaLabel = texts["pages"] ?? "";
  if (page > 1) navigation.append(pageLink("prev", page - 1, texts["previous"]));
  if (page < pages) navigation.append(pageLink("next", page + 1, texts["next"]));
  return navigation;
}

function pageLink(rel: string, page: number, label = ""): HTMLElement {
  const link = document.createElement("a");
  link.rel = rel;
  link.href = `?${new URLSearchParams({ q: text, page: String(page) })}`;
  link.textContent = label;
  return link;
}
