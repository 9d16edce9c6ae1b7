import { SEARCH_PATH } from "../../content/addresses/paths.ts";
import type { ReadingCopy } from "../../content/library.ts";
import { editionPath, editionsOf } from "../../content/site/editions.ts";
import { type BrowserScript, buildBrowserScript } from "../../files/browser-script.ts";
import { buildEditionSearchIndex } from "./indexed-edition.ts";
import { addSearchNoticeToMarkdown, addSearchToPageHtml } from "./search-page.ts";

const BROWSER_FOLDER = new URL("../browser/", import.meta.url);
const SCRIPT_FOLDER = "/assets";

interface SearchSource {
  reading: ReadingCopy;
  origin: string;
  ask(target: string): Promise<{ bytes: Buffer }>;
}

interface SearchFile {
  /** Path in the web root. */
  name: string;
  text: string;
}

/** Encoded paths of the search pages, which run a script. */
export function searchPagePaths(reading: ReadingCopy): string[] {
  return editionsOf(reading).map((edition) => encodeURI(editionPath(edition, SEARCH_PATH)));
}

/** Yields the script, and for each edition its index and its search page in HTML and Markdown. */
export async function* generateSearchFiles(source: SearchSource): AsyncGenerator<SearchFile> {
  const { reading, origin, ask } = source;
  const script = buildBrowserScript(new URL("search.ts", BROWSER_FOLDER), SCRIPT_FOLDER);
  for (const { path, text } of withImports(script)) yield { name: path.slice(1), text };
  for (const edition of editionsOf(reading)) {
    const { folder, files } = buildEditionSearchIndex(reading, edition);
    const path = editionPath(edition, SEARCH_PATH);
    const name = path.slice(1);
    const page = { reading, origin, edition };
    const served = async (target: string) => String((await ask(encodeURI(target))).bytes);
    const parts = { folder, script: script.path };
    yield { name: `${name}.html`, text: addSearchToPageHtml(await served(path), parts, page) };
    yield { name: `${name}.md`, text: addSearchNoticeToMarkdown(await served(`${path}.md`), page) };
    yield* files();
  }
}

function withImports(script: BrowserScript): BrowserScript[] {
  return [script, ...script.imports.flatMap(withImports)];
}
