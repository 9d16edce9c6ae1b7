import { hashWord } from "../../search/language/folding.ts";
import { type Token, tokenize } from "../../search/language/stems.ts";
import { removeArabicArticle } from "../../search/language/word-forms.ts";
import { encodePosting, type OccurrenceKind, wordsFileName } from "./index-layout.ts";

/** Words longer than this, such as addresses, are not indexed. */
const FORM_CHARACTERS_MAX = 40;
/** A title with more words than this counts as a sentence rather than a name. */
const NAME_WORDS_MAX = 5;
/**
 * Minimum size of a file. Once a file has it, the next word form that may start a file (see {@link
 * FORMS_PER_START}) begins a new one.
 */
const FILE_CHARACTERS_MIN = 8000;
/** Once a file has this size, the next word form always starts a new file. */
const FILE_CHARACTERS_MAX = 24_000;
/**
 * One word form in this many is allowed to start a file. The hash of the form decides which, so that new
 * words leave most files unchanged.
 */
const FORMS_PER_START = 16;

export interface IndexedItem {
  number: number;
  language: string;
  title: string;
  /** All searchable text other than the title. */
  body: string;
}

/** Words with the same stem, and the items that have one of them. */
interface WordGroup {
  postings: string;
  lastNumber: number;
}

interface FormFile {
  firstForm: string;
  /** The forms of each group that are in this file. */
  groups: Map<WordGroup, string[]>;
  characters: number;
}

/** Collects the words of all items, and for each word the items that contain it. */
export class WordIndex {
  readonly #groups = new Map<string, WordGroup>();
  readonly #groupsByForm = new Map<string, Set<WordGroup>>();

  /** Adds an item. Call in ascending order of item numbers. */
  add({ number, language, title, body }: IndexedItem): void {
    const places = new Map<string, OccurrenceKind>();
    const note = (token: Token, occurrence: OccurrenceKind) => {
      const form = removeArabicArticle(token.folded);
      if (form.length > FORM_CHARACTERS_MAX) return;
      places.set(token.key, occurrence);
      this.#noteForm(form, token.key);
    };
    for (const token of tokenize(body, language)) note(token, places.has(token.key) ? 1 : 0);
    const titleTokens = tokenize(title, language);
    const isName = titleTokens.length <= NAME_WORDS_MAX;
    for (const token of titleTokens) note(token, isName ? 3 : 2);
    for (const [key, occurrence] of places) {
      const group = this.#group(key);
      group.postings += encodePosting({ number, occurrence }, group.lastNumber);
      group.lastNumber = number;
    }
  }

  /**
   * Yields the word lists as files. Word forms are sorted by UTF-16 code unit. If the forms of a group are in
   * several files, each of these files has the whole group.
   */
  *files(): Generator<{ firstForm: string; text: string }> {
    const names = new Set([wordsFileName("")]);
    let file: FormFile = { firstForm: "", groups: new Map(), characters: 0 };
    for (const form of [...this.#groupsByForm.keys()].sort()) {
      const groups = [...(this.#groupsByForm.get(form) ?? [])];
      if (beginsFile(form, groups, file) && !names.has(wordsFileName(form))) {
        yield { firstForm: file.firstForm, text: fileText(file) };
        names.add(wordsFileName(form));
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

/**
 * Whether a new file starts with this form. A long list of postings gets its own file, so that a
 * search for other words does not load it.
 */
function beginsFile(form: string, groups: readonly WordGroup[], file: FormFile): boolean {
  const others = groups.filter((group) => !file.groups.has(group));
  if (others.length === 0 || file.characters === 0) return false;
  const isLong = ({ postings }: WordGroup) => postings.length >= FILE_CHARACTERS_MIN;
  if (others.some(isLong) || [...file.groups.keys()].some(isLong)) return true;
  if (file.characters < FILE_CHARACTERS_MIN) return false;
  return (hashWord(form) >>> 0) % FORMS_PER_START === 0 || file.characters >= FILE_CHARACTERS_MAX;
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
