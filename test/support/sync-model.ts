import assert from "node:assert/strict";
import type { Item } from "../../src/content/items/item.ts";
import type { OpenRecord } from "../../src/storage/record/stores.ts";
import type { SyncReport } from "../../src/syncing/sync-report.ts";
import { dice } from "./dice.ts";
import {
  changeStatus,
  createPage,
  deletePage,
  itemsOf,
  movePage,
  replaceOnSite,
} from "./sync-site.ts";
import {
  decideConflict,
  type FilesOnDisk,
  filesOnDisk,
  requireEqualSides,
  requireWords,
  wordsIn,
} from "./sync-words.ts";
import { openSyncedFolder, type SyncedFolder } from "./synced-folder.ts";

const TURNS = 24;

export interface SequenceCounts {
  syncs: number;
  kills: number;
  conflicts: number;
  edits: number;
  moves: number;
  deletions: number;
}

/**
 * One random sequence of edits on both sides. Each word is written once, and may vanish only when a person
 * who saw it replaced or deleted it. After each sync, the report must have every word that is on one side
 * only.
 */
export async function tryOneSequence(record: OpenRecord, seed: number): Promise<SequenceCounts> {
  using folder = openSyncedFolder(record);
  const sequence = new Sequence(record, folder, seed);
  for (const item of await itemsOf(record)) {
    await deletePage(record, item);
  }
  await sequence.start();
  for (let turn = 0; turn < TURNS; turn += 1) await sequence.turn();
  await sequence.end();
  return sequence.counts;
}

class Sequence {
  readonly #record: OpenRecord;
  readonly #folder: SyncedFolder;
  readonly #disk: FilesOnDisk;
  readonly #roll: (below: number) => number;
  readonly #seed: number;
  readonly #mayPublish: boolean;
  /** Words that must still exist somewhere. */
  readonly #alive = new Set<string>();
  /** Files that an editor is half through writing, with the complete text. */
  readonly #halfWritten = new Map<string, string>();
  #conflicts: SyncReport["conflicts"] = [];
  #words = 0;
  readonly counts: SequenceCounts = {
    ...{ syncs: 0, kills: 0, conflicts: 0, edits: 0, moves: 0, deletions: 0 },
  };

  constructor(record: OpenRecord, folder: SyncedFolder, seed: number) {
    this.#record = record;
    this.#folder = folder;
    this.#disk = filesOnDisk(folder.root);
    this.#seed = seed;
    // Similar seeds have similar first numbers.
    this.#roll = dice(seed * 2_654_435_761 + 99);
    for (let i = 0; i < 20; i += 1) this.#roll(2);
    this.#mayPublish = this.#roll(2) === 0;
  }

  async start(): Promise<void> {
    for (let i = 0; i < 3; i += 1) await this.#createOnSite();
    for (let i = 0; i < 2; i += 1) this.#createInFolder();
    await this.#sync(null);
  }

  async turn(): Promise<void> {
    const turns: readonly (() => Promise<void> | void)[] = [
      () => this.#editSite(),
      () => this.#editSite(),
      () => this.#editFolder(),
      () => this.#editFolder(),
      () => this.#clash(),
      () => this.#clash(),
      () => this.#moveOnSite(),
      () => this.#moveInFolder(),
      () => this.#moveInFolder(),
      () => this.#deleteOnSite(),
      () => this.#deleteInFolder(),
      () => this.#createOnSite(),
      () => this.#createInFolder(),
      () => this.#writeHalf(),
      () => this.#changeStatus(),
      () => this.#rewriteInFolder(),
      () => this.#resolve(),
      () => this.#sync(this.#roll(6)),
      () => this.#sync(this.#roll(6)),
      () => this.#sync(this.#roll(20)),
      () => this.#sync(null),
      () => this.#sync(null),
      () => this.#sync(null),
    ];
    await turns[this.#roll(turns.length)]?.();
  }

  async end(): Promise<void> {
    this.#finishWriting();
    for (let round = 0; round < 4; round += 1) {
      this.#resolve();
      const report = await this.#sync(null, true);
      // Accepts in the folder what was deleted on the site.
      for (const { file } of report?.deletedThere ?? []) this.#deleteFile(file);
    }
    const report = await this.#sync(null, true);
    const items = await itemsOf(this.#record);
    requireEqualSides(report, { items, disk: this.#disk }, `seed ${this.#seed}`);
    if (!this.#mayPublish) {
      const published = items.filter(({ status }) => status !== "draft");
      assert.deepEqual(published, [], `seed ${this.#seed}: published unasked`);
    }
  }

  #word(): string {
    this.#words += 1;
    const word = `w${this.#seed * 1000 + this.#words}x`;
    this.#alive.add(word);
    return word;
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#roll(Math.max(1, list.length))];
  }

  #body(): string {
    return [1, 2, 3, 4].map(() => `Line ${this.#word()} of a text.`).join("\n\n");
  }

  #path(): string {
    this.#words += 1;
    const folder = this.#pick(["", "", "/help", "/help/more"]) ?? "";
    return `${folder}/p${this.#seed}-${this.#words}`;
  }

  async #createOnSite(): Promise<void> {
    const stated = { title: `Title ${this.#word()}`, summary: `About ${this.#word()}` };
    await createPage(this.#record, { ...stated, path: this.#path(), body: this.#body() });
  }

  #createInFolder(): void {
    const title = `title: Title ${this.#word()}\nsummary: About ${this.#word()}\n`;
    this.#disk.write(`${this.#path().slice(1)}.md`, `---\n${title}---\n\n${this.#body()}\n`);
  }

  /** Changes an item on both sides, often in the same place. */
  async #clash(): Promise<void> {
    const items = await itemsOf(this.#record);
    const file = this.#pick(this.#disk.texts());
    if (file === undefined || this.#halfWritten.has(file)) return;
    const text = this.#disk.read(file);
    const both = wordsIn(text).flatMap((word) =>
      items.filter((item) => JSON.stringify(item).includes(word)).map((item) => ({ word, item })),
    );
    const found = this.#pick(both);
    if (found === undefined) return;
    this.#disk.write(file, text.replaceAll(found.word, this.#replaced(found.word)));
    await this.#editSite(found.item, this.#roll(2) === 0 ? found.word : undefined);
  }

  async #editSite(chosen?: Item, known?: string): Promise<void> {
    const item = chosen ?? this.#pick(await itemsOf(this.#record));
    if (item === undefined) return;
    const old = known ?? this.#pick(wordsIn(JSON.stringify(item)));
    if (old !== undefined) await replaceOnSite(this.#record, item, [old, this.#replaced(old)]);
  }

  #editFolder(): void {
    const file = this.#pick(this.#disk.texts());
    if (file === undefined || this.#halfWritten.has(file)) return;
    const text = this.#disk.read(file);
    const old = this.#pick(wordsIn(text));
    if (old === undefined) return;
    this.#disk.write(file, text.replaceAll(old, this.#replaced(old)));
  }

  #replaced(old: string): string {
    this.counts.edits += 1;
    this.#alive.delete(old);
    return this.#word();
  }

  async #moveOnSite(): Promise<void> {
    const item = this.#pick(await itemsOf(this.#record));
    if (item === undefined) return;
    this.counts.moves += 1;
    await movePage(this.#record, item, this.#path());
  }

  /** Sometimes changes the text at the same time. */
  #moveInFolder(): void {
    const file = this.#pick(this.#disk.texts());
    if (file === undefined || this.#halfWritten.has(file)) return;
    this.counts.moves += 1;
    const to = `${this.#path().slice(1)}.md`;
    this.#disk.move(file, to);
    for (let edits = this.#roll(3); edits > 0; edits -= 1) {
      const text = this.#disk.read(to);
      const old = this.#pick(wordsIn(text));
      if (old !== undefined) this.#disk.write(to, text.replaceAll(old, this.#replaced(old)));
    }
  }

  async #deleteOnSite(): Promise<void> {
    const item = this.#pick(await itemsOf(this.#record));
    if (item === undefined) return;
    this.counts.deletions += 1;
    this.#forget(JSON.stringify(item));
    await deletePage(this.#record, item);
  }

  #deleteInFolder(): void {
    const file = this.#pick(this.#disk.texts());
    if (file === undefined || this.#halfWritten.has(file)) return;
    this.#deleteFile(file);
  }

  #deleteFile(file: string): void {
    this.counts.deletions += 1;
    this.#forget(this.#disk.read(file));
    this.#disk.remove(file);
  }

  async #changeStatus(): Promise<void> {
    const item = this.#pick(await itemsOf(this.#record));
    if (item === undefined || !this.#mayPublish) return;
    await changeStatus(this.#record, item);
  }

  /** Writes the first half of a file, as editors do. */
  #writeHalf(): void {
    if (this.#halfWritten.size > 0) {
      this.#finishWriting();
      return;
    }
    const file = this.#pick(this.#disk.texts());
    if (file === undefined) return;
    const text = this.#disk.read(file);
    this.#halfWritten.set(file, text);
    this.#disk.write(file, text.slice(0, 4 + this.#roll(20)));
  }

  #finishWriting(): void {
    for (const [file, text] of this.#halfWritten) this.#disk.write(file, text);
    this.#halfWritten.clear();
  }

  /** Writes the same content differently: with other line ends, or one more empty line. */
  #rewriteInFolder(): void {
    const file = this.#pick(this.#disk.texts());
    if (file === undefined || this.#halfWritten.has(file)) return;
    const text = this.#disk.read(file);
    this.#disk.write(file, this.#roll(2) === 0 ? `${text}\n` : text.replaceAll(/\r?\n/g, "\r\n"));
  }

  /** Decides the conflicts of the last report, as a person would. */
  #resolve(): void {
    for (const conflict of this.#conflicts) {
      const givenUp = decideConflict(this.#disk, conflict, this.#roll(2) === 0 ? "site" : "file");
      for (const word of givenUp) this.#alive.delete(word);
    }
    this.#conflicts = [];
  }

  async #sync(steps: number | null, isPruning = this.#roll(2) === 0): Promise<SyncReport | null> {
    const report = await this.#folder.sync({
      isPruning: isPruning && this.#disk.texts().length > 0,
      ...(steps === null ? {} : { steps }),
    });
    this.counts.syncs += 1;
    if (report === null) this.counts.kills += 1;
    this.counts.conflicts += report?.conflicts.length ?? 0;
    this.#conflicts = report?.conflicts ?? [];
    requireWords(
      { report, items: await itemsOf(this.#record), rows: await this.#folder.files() },
      { alive: this.#alive, disk: this.#disk, halfWritten: this.#halfWritten.values() },
      `seed ${this.#seed}`,
    );
    return report;
  }

  #forget(text: string): void {
    for (const word of wordsIn(text)) this.#alive.delete(word);
  }
}
