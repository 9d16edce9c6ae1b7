import type { PublishedIndexEntry, PublishedItem, ReadingCopy } from "../../content/library.ts";
import { searchResultEntryOf } from "../../content/pages/search-results.ts";
import { type Edition, editionForItemLanguage } from "../../content/site/editions.ts";
import { listEntryHtml } from "../../render/blocks/block-html.ts";
import { textOfHtml } from "../../render/body/html-text.ts";
import { stopWordsOf } from "../../search/language/stop-words.ts";
import { extractSearchableValues } from "../../search/postings/search-writer.ts";
import { INDEX_FILE, itemsFileName, wordsFileName } from "./index-layout.ts";
import { WordIndex } from "./indexed-words.ts";
import { assignItemNumbers } from "./item-numbers.ts";

interface IndexFile {
  /** Path in the web root. */
  name: string;
  text: string;
}

/** The search index of an edition. */
export interface SearchIndex {
  /** Path of the index folder in the web root. The path changes when all items are renumbered. */
  folder: string;
  files(): Generator<IndexFile>;
}

interface Numbered {
  item: PublishedIndexEntry;
  number: number;
}

export function buildEditionSearchIndex(reading: ReadingCopy, edition: Edition): SearchIndex {
  const entries = [...reading.index()].filter(
    ({ language }) => editionForItemLanguage(reading, language) === edition,
  );
  const { bits, numbered } = assignItemNumbers(entries);
  const folder = `search/${edition.language.toLowerCase()}-${bits}`;
  return {
    folder,
    *files() {
      const words = new WordIndex();
      yield* itemFiles(numbered, { words, reading, edition, folder });
      yield* wordFiles(words, { edition, folder });
    },
  };
}

interface Target {
  edition: Edition;
  folder: string;
}

/** Yields the files with the result entry of each item, and adds the words of the items to the index. */
function* itemFiles(
  numbered: readonly Numbered[],
  { words, reading, edition, folder }: Target & { words: WordIndex; reading: ReadingCopy },
): Generator<IndexFile> {
  let name = "";
  let text = "";
  for (const { item: indexEntry, number } of numbered) {
    const item = reading.itemOf(indexEntry);
    if (item === null) continue;
    const { language, title } = item;
    words.add({ number, language, title, body: searchedText(item, reading) });
    const ownName = `${folder}/${itemsFileName(number)}`;
    if (ownName !== name && text !== "") {
      yield { name, text };
      text = "";
    }
    name = ownName;
    const entry = listEntryHtml(searchResultEntryOf(item, edition), edition);
    text += `${number}\t${entry.text.replaceAll(/\s+/g, " ").trim()}\n`;
  }
  if (text !== "") yield { name, text };
}

/** The text by which the server's search finds an item, without the title. */
function searchedText(item: PublishedItem, reading: ReadingCopy): string {
  const type = reading.types().get(item.type);
  const { names, texts } =
    type === undefined ? NO_FIELDS : extractSearchableValues(type, item.fields);
  const linked = Object.values(item.links).flat();
  return [textOfHtml(item.html), ...texts, ...names, ...linked.map(({ title }) => title)].join(
    "\n",
  );
}

const NO_FIELDS = { names: [], texts: [] };

function* wordFiles(words: WordIndex, { edition, folder }: Target): Generator<IndexFile> {
  const firstForms: string[] = [];
  for (const { firstForm, text } of words.files()) {
    firstForms.push(firstForm);
    yield { name: `${folder}/${wordsFileName(firstForm)}`, text };
  }
  const stopWords = [...stopWordsOf(edition.language)];
  const text = `${stopWords.join(" ")}\n${firstForms.join(" ")}\n`;
  yield { name: `${folder}/${INDEX_FILE}`, text };
}
