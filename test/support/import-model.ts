import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PreferredSide } from "../../src/content/editing/imported/saving-imports.ts";
import type { FileProblem, ItemOutcome } from "../../src/content/import/import-items.ts";
import type { Item } from "../../src/content/items/item.ts";
import type { ContentRecord } from "../../src/content/record.ts";
import { importContent } from "../../src/importing/import-content.ts";
import { findImportFiles } from "../../src/importing/import-files.ts";
import type { OpenRecord } from "../../src/storage/record/stores.ts";
import { dice } from "./dice.ts";
import {
  changeStatus,
  createPage,
  deletePage,
  itemsOf,
  movePage,
  replaceOnSite,
} from "./sync-site.ts";
import { type FilesOnDisk, filesOnDisk, wordsIn } from "./sync-words.ts";

const TURNS = 24;

export interface ImportCounts {
  imports: number;
  conflicts: number;
  kept: number;
  merged: number;
  edits: number;
  moves: number;
  deletions: number;
}

export const NO_COUNTS: ImportCounts = {
  ...{ imports: 0, conflicts: 0, kept: 0, merged: 0, edits: 0, moves: 0, deletions: 0 },
};

interface Imported {
  outcomes: readonly ItemOutcome[];
  problems: readonly FileProblem[];
}

/**
 * One random sequence of edits in a folder and on the site, with imports in between. Each word is written
 * once. A word on the site may vanish only when a person replaced it who saw it, there or in the file. A word
 * in a file must reach the site, or the report names the file.
 */
export async function tryOneSequence(record: OpenRecord, seed: number): Promise<ImportCounts> {
  const root = mkdtempSync(join(tmpdir(), "commonplace-imports-"));
  try {
    for (const item of await itemsOf(record)) await deletePage(record, item);
    mkdirSync(join(root, "content"));
    const sequence = new Sequence(record, join(root, "content"), seed);
    for (let i = 0; i < 4; i += 1) await sequence.start();
    for (let turn = 0; turn < TURNS; turn += 1) await sequence.turn();
    await sequence.end();
    return sequence.counts;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

class Sequence {
  readonly #record: OpenRecord;
  readonly #root: string;
  readonly #disk: FilesOnDisk;
  readonly #roll: (below: number) => number;
  readonly #seed: number;
  /** Words that must be on the site. */
  readonly #onSite = new Set<string>();
  /** Words of files that have not been on the site yet. */
  readonly #waiting = new Set<string>();
  #words = 0;
  readonly counts = { ...NO_COUNTS };

  constructor(record: OpenRecord, root: string, seed: number) {
    this.#record = record;
    this.#root = root;
    this.#disk = filesOnDisk(root);
    this.#seed = seed;
    this.#roll = dice(seed * 2_654_435_761 + 7);
    for (let i = 0; i < 20; i += 1) this.#roll(2);
  }

  async start(): Promise<void> {
    this.#createFile();
    if (this.#roll(3) === 0) await this.#createOnSite();
  }

  async turn(): Promise<void> {
    const turns: readonly (() => Promise<void> | void)[] = [
      () => this.#editSite(),
      () => this.#editSite(),
      () => this.#editFile(),
      () => this.#editFile(),
      () => this.#clash(),
      () => this.#clash(),
      () => this.#moveOnSite(),
      () => this.#moveFile(),
      () => this.#deleteOnSite(),
      () => this.#deleteFile(),
      () => this.#createOnSite(),
      () => this.#createFile(),
      () => this.#changeStatus(),
      () => this.#tryImport(),
      () => this.#import(null),
      () => this.#import(null),
      () => this.#import(null),
      () => this.#settle("file"),
      () => this.#settle("site"),
    ];
    await turns[this.#roll(turns.length)]?.();
  }

  async end(): Promise<void> {
    await this.#settle("file");
    const before = JSON.stringify(await itemsOf(this.#record));
    const { outcomes } = await this.#import(null);
    assert.equal(JSON.stringify(await itemsOf(this.#record)), before, this.#at("not idempotent"));
    const conflicts = outcomes.filter(({ outcome }) => outcome === "conflict");
    assert.deepEqual(conflicts, [], this.#at("settled conflicts come again"));
  }

  #at(what: string): string {
    return `seed ${this.#seed}: ${what}`;
  }

  #word(): string {
    this.#words += 1;
    return `w${this.#seed * 1000 + this.#words}x`;
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#roll(Math.max(1, list.length))];
  }

  #path(): string {
    this.#words += 1;
    return `${this.#pick(["", "", "/help", "/help/more"]) ?? ""}/p${this.#seed}-${this.#words}`;
  }

  #body(): string {
    return [1, 2, 3, 4].map(() => `Line ${this.#word()} of a text.`).join("\n\n");
  }

  async #createOnSite(): Promise<void> {
    const path = this.#path();
    const page = { path, title: `Title ${this.#word()}`, summary: `About ${this.#word()}` };
    const body = this.#body();
    await createPage(this.#record, { ...page, body });
    for (const word of wordsIn(JSON.stringify({ ...page, body }))) this.#onSite.add(word);
    // Sometimes a file of the same address is written by somebody who has not seen the page.
    if (this.#roll(3) === 0) this.#createFile(path);
  }

  /** Half of the files have a source key, by which an item is known after a move. */
  #createFile(path = this.#path()): void {
    const key = this.#roll(2) === 0 ? `sourceKey: k${path}\n` : "";
    const title = `title: Title ${this.#word()}\nsummary: About ${this.#word()}\n`;
    const text = `---\n${title}${key}---\n\n${this.#body()}\n`;
    this.#disk.write(`${path.slice(1)}.md`, text);
    for (const word of wordsIn(text)) this.#waiting.add(word);
  }

  async #editSite(chosen?: Item, known?: string): Promise<void> {
    const item = chosen ?? this.#pick(await itemsOf(this.#record));
    if (item === undefined) return;
    const old = known ?? this.#pick(wordsIn(JSON.stringify(item)));
    if (old === undefined) return;
    const word = this.#replaced(old);
    await replaceOnSite(this.#record, item, [old, word]);
    this.#onSite.add(word);
  }

  #editFile(chosen?: string, known?: string): void {
    const file = chosen ?? this.#pick(this.#disk.texts());
    if (file === undefined) return;
    const text = this.#disk.read(file);
    const old = known ?? this.#pick(wordsIn(text));
    if (old === undefined) return;
    const word = this.#replaced(old);
    this.#waiting.add(word);
    this.#disk.write(file, text.replaceAll(old, word));
  }

  #replaced(old: string): string {
    this.counts.edits += 1;
    this.#onSite.delete(old);
    this.#waiting.delete(old);
    return this.#word();
  }

  /** Changes an item on both sides, often in the same place. */
  async #clash(): Promise<void> {
    const file = this.#pick(this.#disk.texts());
    if (file === undefined) return;
    const items = await itemsOf(this.#record);
    const both = wordsIn(this.#disk.read(file)).flatMap((word) =>
      items.filter((item) => JSON.stringify(item).includes(word)).map((item) => ({ word, item })),
    );
    const found = this.#pick(both);
    if (found === undefined) return;
    this.#editFile(file, found.word);
    await this.#editSite(found.item, this.#roll(2) === 0 ? found.word : undefined);
  }

  async #moveOnSite(): Promise<void> {
    const item = this.#pick(await itemsOf(this.#record));
    if (item === undefined) return;
    this.counts.moves += 1;
    await movePage(this.#record, item, this.#path());
  }

  #moveFile(): void {
    const file = this.#pick(this.#disk.texts());
    if (file === undefined) return;
    this.counts.moves += 1;
    this.#disk.move(file, `${this.#path().slice(1)}.md`);
  }

  async #deleteOnSite(): Promise<void> {
    const item = this.#pick(await itemsOf(this.#record));
    if (item === undefined) return;
    this.counts.deletions += 1;
    for (const word of wordsIn(JSON.stringify(item))) this.#onSite.delete(word);
    await deletePage(this.#record, item);
  }

  #deleteFile(): void {
    const file = this.#pick(this.#disk.texts());
    if (file === undefined) return;
    this.counts.deletions += 1;
    for (const word of wordsIn(this.#disk.read(file))) this.#waiting.delete(word);
    this.#disk.remove(file);
  }

  async #changeStatus(): Promise<void> {
    const item = this.#pick(await itemsOf(this.#record));
    if (item !== undefined) await changeStatus(this.#record, item);
  }

  /** A dry run reports what the import then does, and changes nothing. */
  async #tryImport(): Promise<void> {
    const before = JSON.stringify(await itemsOf(this.#record));
    const tried = await this.#record.dryRun((content) => this.#run(content, null));
    assert.equal(
      JSON.stringify(await itemsOf(this.#record)),
      before,
      this.#at("a dry run changes"),
    );
    assert.deepEqual(tried, await this.#import(null), this.#at("the dry run says otherwise"));
  }

  /** Decides all conflicts of an import for one side, as a person would who has read its report. */
  async #settle(side: NonNullable<PreferredSide>): Promise<void> {
    const { outcomes, problems } = await this.#import(null);
    const items = new Map((await itemsOf(this.#record)).map((item) => [item.path, item]));
    for (const { file, path, outcome } of outcomes) {
      const item = items.get(path ?? "");
      if (outcome !== "conflict" || item === undefined) continue;
      const parts = problems.filter((problem) => problem.file === file).map(({ field }) => field);
      const [given, words] =
        side === "file"
          ? [
              this.#onSite,
              wordsIn(
                JSON.stringify(Object.entries(item).filter(([part]) => parts.includes(part))),
              ),
            ]
          : [this.#waiting, wordsIn(this.#disk.read(file.slice(this.#root.length + 1)))];
      for (const word of words) given.delete(word);
    }
    await this.#import(side);
  }

  async #import(prefer: PreferredSide): Promise<Imported> {
    const imported = await this.#run(this.#record.content, prefer);
    const { outcomes } = imported;
    this.counts.imports += 1;
    this.counts.conflicts += outcomes.filter(({ outcome }) => outcome === "conflict").length;
    const kept = outcomes.filter((each) => each.kept !== undefined);
    this.counts.kept += kept.length;
    this.counts.merged += kept.filter(({ outcome }) => outcome === "updated").length;
    await this.#requireWords(imported);
    return imported;
  }

  async #run(content: ContentRecord, prefer: PreferredSide): Promise<Imported> {
    const outcomes: ItemOutcome[] = [];
    const problems: FileProblem[] = [];
    const source = await findImportFiles(this.#root);
    await importContent(content, { kind: "operator" }, [source], {
      ...{ now: new Date(), unknown: "refuse", prefer },
      events: {
        onOutcome: (outcome) => outcomes.push(outcome),
        onProblem: (problem) => problems.push(problem),
      },
    });
    return { outcomes, problems };
  }

  async #requireWords({ outcomes, problems }: Imported): Promise<void> {
    const site = new Set(
      (await itemsOf(this.#record)).flatMap((item) => wordsIn(JSON.stringify(item))),
    );
    const lost = [...this.#onSite].filter((word) => !site.has(word));
    assert.deepEqual(lost, [], this.#at("words vanished from the site"));
    const reported = new Set([
      ...problems.filter(({ severity }) => severity === "error").map(({ file }) => file),
      ...outcomes.filter(({ kept }) => kept !== undefined).map(({ file }) => file),
    ]);
    for (const file of this.#disk.texts()) {
      const words = wordsIn(this.#disk.read(file)).filter((word) => this.#waiting.has(word));
      const silent = words.filter((word) => !site.has(word));
      const isReported = silent.length === 0 || reported.has(join(this.#root, file));
      assert(isReported, this.#at(`${file} has ${silent}, which neither site nor report has`));
      for (const word of words.filter((each) => site.has(each))) {
        this.#waiting.delete(word);
        this.#onSite.add(word);
      }
    }
  }
}
