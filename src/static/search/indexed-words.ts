import { wordHash } from "../../search/language/folding.ts";
import { type Token, tokensOf } from "../../search/language/stems.ts";
import { withoutArticle } from "../../search/language/word-forms.ts";
import { type Place, postingText, wordsFile } from "./index-layout.ts";

/** Longer words, such as addresses, are not searched for. */
const FORM_CHARACTERS_MAX = 40;
/** A longer title is a sentence rather than a name. */
const NAME_WORDS_MAX = 5;
/** A file of at least this size ends before the next form that may begin a file. */
const FILE_CHARACTERS_MIN = 8000;
/** At this size, a file ends before the next form, whichever it is. Only a single long list exceeds it. */
const FILE_CHARACTERS_MAX = 24_000;
/** One form in this many may begin a file. Its hash decides, so that new words leave most files unchanged. */
const FORMS_PER_START = 16;

export interface IndexedItem {
  number: number;
  language: string;
  title: string;
  /** All other texts that are searched. */
  body: string;
}

/** Words with the same stem, and the items that have one of them. */
interface WordGroup {
  postings: string;
  lastNumber: number;
}

interface FormFile {
  firstForm: string;
  /** Groups that have a form in this file, each with its forms in this file. */
  groups: Map<WordGroup, string[]>;
  characters: number;
}

/** Collects the words of items, with the items that have each word. */
export class WordIndex {
  readonly #groups = new Map<string, WordGroup>();
  readonly #groupsByForm = new Map<string, Set<WordGroup>>();

  /** Adds an item. Add them in ascending order of their numbers. */
  add({ number, language, title, body }: IndexedItem): void {
    const places = new Map<string, Place>();
    const note = (token: Token, place: Place) => {
      const form = withoutArticle(token.folded);
      if (form.length > FORM_CHARACTERS_MAX) return;
      places.set(token.key, place);
      this.#noteForm(form, token.key);
    };
    for (const token of tokensOf(body, language)) note(token, places.has(token.key) ? 1 : 0);
    const titleTokens = tokensOf(title, language);
    const isName = titleTokens.length <= NAME_WORDS_MAX;
    for (const token of titleTokens) note(token, isName ? 3 : 2);
    for (const [key, place] of places) {
      const group = this.#group(key);
      group.postings += postingText({ number, place }, group.lastNumber);
      group.lastNumber = number;
    }
  }

  /**
   * The files of words, with the forms in the order of UTF-16 code units. A group with forms in several files
   * is in each of them.
   */
  *files(): Generator<{ firstForm: string; text: string }> {
    const names = new Set([wordsFile("")]);
    let file: FormFile = { firstForm: "", groups: new Map(), characters: 0 };
    for (const form of [...this.#groupsByForm.keys()].sort()) {
      const groups = [...(this.#groupsByForm.get(form) ?? [])];
      if (beginsFile(form, groups, file) && !names.has(wordsFile(form))) {
        yield { firstForm: file.firstForm, text: fileText(file) };
        names.add(wordsFile(form));
        file = { firstForm: form, groups: new Map(), characters: 0 };
      }
      for (const group of groups) addForm(file, form, group);
    }
    yield { firstForm: file.firstForm, text: fileText(file) };
  }

  #noteForm(form: string, key: string): void {
    const groups = this.#groupsByForm.get(form) ?? new Set();
    this.#groupsByForm.set(form, groups.add(this.#group(key)));
  }

  #group(key: string): WordGroup {
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const group = { postings: "", lastNumber: -1 };
    this.#groups.set(key, group);
    return group;
  }
}

/** Whether a form begins a file. A long list gets a file of its own, so that other words need not load it. */
function beginsFile(form: string, groups: readonly WordGroup[], file: FormFile): boolean {
  const others = groups.filter((group) => !file.groups.has(group));
  if (others.length === 0 || file.characters === 0) return false;
  const isLong = ({ postings }: WordGroup) => postings.length >= FILE_CHARACTERS_MIN;
  if (others.some(isLong) || [...file.groups.keys()].some(isLong)) return true;
  if (file.characters < FILE_CHARACTERS_MIN) return false;
  return (wordHash(form) >>> 0) % FORMS_PER_START === 0 || file.characters >= FILE_CHARACTERS_MAX;
}

function addForm(file: FormFile, form: string, group: WordGroup): void {
  const forms = file.groups.get(group);
  file.characters += form.length + 1 + (forms === undefined ? group.postings.length : 0);
  if (forms === undefined) file.groups.set(group, [form]);
  else forms.push(form);
}

function fileText({ groups }: FormFile): string {
  return [...groups].map(([{ postings }, forms]) => `${forms.join(" ")}\t${postings}\n`).join("");
}
