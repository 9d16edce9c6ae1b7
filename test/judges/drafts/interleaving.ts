import { publishDueDrafts } from "../../../src/content/drafts/publishing-drafts.ts";
import type { ApiAnswer, ApiClient, Loose } from "../../support/api-client.ts";
import {
  differing,
  expectedMerge,
  linesOf,
  PARTS,
  type Slots,
  type Stated,
  textOf,
} from "./model.ts";

const STEPS = 40;
const LINES = 4;
const MINUTE_MS = 60_000;

interface ModelDraft {
  id: string;
  version: number;
  /** The state of the item to which the parts apply. */
  base: Slots;
  stated: Stated;
  /** What a reader of each version saw: the parts applied to the item. */
  seen: Map<number, Slots>;
  publishAt: Date | null;
}

interface ModelItem {
  id: string;
  revision: number;
  slots: Slots;
  revisions: Map<number, Slots>;
  status: "published" | "draft" | "deleted";
}

/** What one of the two people has on the screen. */
interface View {
  draft: { id: string; version: number } | null;
  revision: number;
  slots: Slots;
}

export interface Story {
  steps: number;
  merges: number;
  conflicts: number;
  /** Empty: every answer was as expected. */
  faults: string[];
}

/**
 * Two people edit, save, publish, schedule, restore and delete one item in random order. After each step the
 * answer is compared with a model, in which a save conflicts only if the other person changed the same part
 * or line since this one looked.
 */
export async function interleave(api: ApiClient, seed: number, next: () => number): Promise<Story> {
  const story = new Interleaving(api, seed, next);
  await story.begin();
  for (let step = 0; step < STEPS && story.faults.length === 0; step += 1) await story.step();
  return story;
}

class Interleaving implements Story {
  steps = 0;
  merges = 0;
  conflicts = 0;
  readonly faults: string[] = [];
  readonly #api: ApiClient;
  readonly #seed: number;
  readonly #next: () => number;
  readonly #views: [View | null, View | null] = [null, null];
  #tokens = 0;
  #item: ModelItem = {
    id: "",
    revision: 1,
    slots: { title: "", summary: "", body: [] },
    revisions: new Map(),
    status: "published",
  };
  #draft: ModelDraft | null = null;

  constructor(api: ApiClient, seed: number, next: () => number) {
    this.#api = api;
    this.#seed = seed;
    this.#next = next;
  }

  async begin(): Promise<void> {
    const slots = {
      title: this.#token(),
      summary: this.#token(),
      body: Array.from({ length: LINES }, () => this.#token()),
    };
    const body = { type: "page", status: "published", ...inputOf(slots) };
    const answer = await this.#api.request("POST", "/content", { body });
    this.#expect("create", answer, 201);
    this.#item = { ...this.#item, id: answer.body.id, slots, revisions: new Map([[1, slots]]) };
  }

  async step(): Promise<void> {
    this.steps += 1;
    const who = this.#next() % 2 === 0 ? 0 : 1;
    const actions: readonly ((who: 0 | 1, view: View) => Promise<unknown>)[] = [
      ...[this.#save, this.#save, this.#save, this.#save, this.#look, this.#look],
      ...[this.#publish, this.#edit, this.#schedule, this.#tick, this.#restore, this.#remove],
    ];
    const action = actions[this.#next() % actions.length] ?? this.#look;
    const view = this.#views[who] ?? (await this.#look(who));
    await action.call(this, who, view);
  }

  /** Reads the present state, which must be that of the model. */
  async #look(who: 0 | 1): Promise<View> {
    const draft = this.#draft;
    const item = await this.#api.request("GET", `/content/${this.#item.id}`);
    this.#same("the item", slotsOf(item.body), this.#item.slots);
    this.#same("its revision", item.body.revision, this.#item.revision);
    this.#same("its status", item.body.status, this.#item.status);
    const slots = draft === null ? this.#item.slots : { ...draft.base, ...draft.stated };
    if (draft !== null) {
      const { body } = await this.#api.request("GET", `/drafts/${draft.id}`);
      this.#same("the draft", statedOf(body.changes), draft.stated);
      this.#same("the version", body.version, draft.version);
    }
    const view = {
      draft: draft === null ? null : { id: draft.id, version: draft.version },
      revision: this.#item.revision,
      slots,
    };
    this.#views[who] = view;
    return view;
  }

  async #save(who: 0 | 1, view: View): Promise<void> {
    const stated = this.#typed(view);
    if (view.draft === null) return await this.#start(who, view, stated);
    const answer = await this.#api.request("PATCH", `/drafts/${view.draft.id}`, {
      body: { version: view.draft.version, changes: inputOf(stated) },
    });
    const draft = this.#draft;
    if (draft?.id !== view.draft.id) {
      this.#expect("save to an ended draft", answer, 404);
    } else {
      const theirs = { ...draft.base, ...draft.stated };
      const merged = expectedMerge(stated, { base: view.slots, theirs });
      if (merged === null) {
        this.conflicts += 1;
        this.#expect("save against another's change", answer, 409);
      } else {
        if (view.draft.version !== draft.version) this.merges += 1;
        this.#expect("save", answer, 200);
        this.#keep({ ...draft, stated: { ...draft.stated, ...merged } });
      }
    }
    await this.#look(who);
  }

  async #start(who: 0 | 1, view: View, stated: Stated): Promise<void> {
    const answer = await this.#api.request("POST", "/drafts", {
      body: { itemId: this.#item.id, revision: view.revision, changes: inputOf(stated) },
    });
    if (this.#item.status === "deleted" || this.#draft !== null) {
      this.#expect("start where there is a draft or no item", answer, 409);
    } else {
      this.#expect("start", answer, 201);
      const base = this.#item.revisions.get(view.revision) ?? view.slots;
      const seen = new Map<number, Slots>();
      this.#keep({ id: answer.body.id, version: 0, base, stated, seen, publishAt: null });
    }
    await this.#look(who);
  }

  async #publish(who: 0 | 1, view: View): Promise<void> {
    if (view.draft === null) return;
    const answer = await this.#api.request("POST", `/drafts/${view.draft.id}/publish`, {
      headers: { "If-Match": `"${view.draft.version}"` },
    });
    if (this.#draft?.id !== view.draft.id) this.#expect("publish an ended draft", answer, 404);
    else if (this.#draft.version !== view.draft.version) this.#expect("publish", answer, 412);
    else if (!this.#applyToItem(this.#draft)) this.#expect("publish a conflict", answer, 409);
    else this.#expect("publish", answer, 200);
    await this.#look(who);
  }

  /** Changes the item itself instead of the draft. */
  async #edit(who: 0 | 1, view: View): Promise<void> {
    const slots = { ...this.#item.slots, ...this.#typed({ ...view, slots: this.#item.slots }) };
    const answer = await this.#api.request("PATCH", `/content/${this.#item.id}`, {
      body: inputOf(slots),
      headers: { "If-Match": `"${view.revision}"` },
    });
    this.#changeItem("edit", answer, { view, slots });
    await this.#look(who);
  }

  async #schedule(who: 0 | 1, view: View): Promise<void> {
    if (view.draft === null) return;
    const publishAt = new Date(this.#api.clock.now.getTime() + MINUTE_MS);
    const answer = await this.#api.request("POST", `/drafts/${view.draft.id}/schedule`, {
      body: { publishAt: publishAt.toISOString() },
      headers: { "If-Match": `"${view.draft.version}"` },
    });
    const draft = this.#draft;
    if (draft?.id !== view.draft.id) this.#expect("schedule an ended draft", answer, 404);
    else if (draft.version !== view.draft.version) this.#expect("schedule", answer, 412);
    else if (this.#mergedIntoItem(draft) === null) this.#expect("schedule", answer, 409);
    else {
      this.#expect("schedule", answer, 200);
      this.#note({ ...draft, publishAt });
    }
    await this.#look(who);
  }

  async #tick(who: 0 | 1): Promise<void> {
    const now = new Date(this.#api.clock.now.getTime() + MINUTE_MS);
    this.#api.clock.now = now;
    await publishDueDrafts(this.#api.app.record, now);
    const draft = this.#draft;
    if (draft?.publishAt != null && draft.publishAt <= now && !this.#applyToItem(draft)) {
      this.#note({ ...draft, publishAt: null });
    }
    await this.#look(who);
  }

  async #restore(who: 0 | 1, view: View): Promise<void> {
    const revision = 1 + (this.#next() % this.#item.revision);
    const slots = this.#item.revisions.get(revision) ?? this.#item.slots;
    const path = `/content/${this.#item.id}/revisions/${revision}/restore`;
    const answer = await this.#api.request("POST", path, {
      headers: { "If-Match": `"${view.revision}"` },
    });
    if (this.#item.status === "deleted" && answer.status === 200) {
      this.#item = { ...this.#item, status: "draft" };
    }
    this.#changeItem("restore", answer, { view, slots });
    await this.#look(who);
  }

  async #remove(who: 0 | 1, view: View): Promise<void> {
    // Rare, because deleting the item ends most of the story.
    if (this.#item.status === "deleted" || this.#next() % 3 !== 0) return;
    const answer = await this.#api.request("DELETE", `/content/${this.#item.id}`, {
      headers: { "If-Match": `"${view.revision}"` },
    });
    if (this.#changeItem("delete", answer, { view, slots: this.#item.slots })) {
      this.#item = { ...this.#item, status: "deleted" };
    }
    await this.#look(who);
  }

  /** @returns whether the item changed. */
  #changeItem(
    what: string,
    answer: ApiAnswer,
    { view, slots }: { view: View; slots: Slots },
  ): boolean {
    if (view.revision !== this.#item.revision) {
      this.#expect(`${what} of an old revision`, answer, 412);
      return false;
    }
    if (this.#item.status === "deleted") {
      this.#expect(`${what} of a deleted item`, answer, 409);
      return false;
    }
    this.#expect(what, answer, 200);
    this.#revise(slots, answer.body.revision);
    return true;
  }

  #revise(slots: Slots, revision: number): void {
    const revisions = new Map(this.#item.revisions).set(revision, slots);
    this.#item = { ...this.#item, slots, revision, revisions };
  }

  #mergedIntoItem({ base, stated }: ModelDraft): Stated | null {
    return expectedMerge(stated, { base, theirs: this.#item.slots });
  }

  /** Publishes the draft in the model. @returns false for a conflict. */
  #applyToItem(draft: ModelDraft): boolean {
    const merged = this.#item.status === "deleted" ? null : this.#mergedIntoItem(draft);
    if (merged === null) {
      this.conflicts += 1;
      return false;
    }
    const slots = { ...this.#item.slots, ...merged };
    const isChanged =
      this.#item.status !== "published" ||
      PARTS.some((part) => String(slots[part]) !== String(this.#item.slots[part]));
    if (isChanged) this.#revise(slots, this.#item.revision + 1);
    this.#item = { ...this.#item, status: "published" };
    this.#draft = null;
    return true;
  }

  /** Rebases the draft on the item's revision if nothing conflicts, as a save does. */
  #keep(draft: ModelDraft): void {
    const lean = { ...draft, stated: differing(draft.stated, draft.base) };
    const merged = this.#mergedIntoItem(lean);
    const moved =
      merged === null
        ? lean
        : { ...lean, base: this.#item.slots, stated: differing(merged, this.#item.slots) };
    this.#note(moved);
  }

  #note(draft: ModelDraft): void {
    const version = draft.version + 1;
    const seen = new Map(draft.seen).set(version, { ...draft.base, ...draft.stated });
    this.#draft = { ...draft, version, seen };
  }

  /** Changes one or two parts of what is on the screen. */
  #typed({ slots }: View): Stated {
    const stated: Stated = {};
    for (let edit = 0; edit <= this.#next() % 2; edit += 1) {
      const part = PARTS[this.#next() % PARTS.length];
      if (part === "title") stated.title = this.#token();
      else if (part === "summary") stated.summary = this.#token();
      else stated.body = slots.body.with(this.#next() % LINES, this.#token());
    }
    return stated;
  }

  #token(): string {
    this.#tokens += 1;
    return `t${this.#seed}-${this.#tokens}`;
  }

  #expect(what: string, answer: ApiAnswer, status: number): void {
    if (answer.status === status) return;
    this.#fault(`${what} answered ${answer.status} instead of ${status}: ${answer.text}`);
  }

  #same(what: string, found: unknown, expected: unknown): void {
    const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
    if (one !== other) this.#fault(`${what} is ${one} instead of ${other}`);
  }

  #fault(message: string): void {
    this.faults.push(`seed ${this.#seed}, step ${this.steps}: ${message}`);
  }
}

function inputOf({ body, ...rest }: Stated): Record<string, string> {
  return body === undefined ? rest : { ...rest, body: textOf(body) };
}

function slotsOf({ title, summary, body }: Loose): Slots {
  return { title, summary, body: linesOf(body) };
}

function statedOf(changes: Loose): Stated {
  const { title, summary, body } = changes ?? {};
  return {
    ...(title === undefined ? {} : { title }),
    ...(summary === undefined ? {} : { summary }),
    ...(body === undefined ? {} : { body: linesOf(body) }),
  };
}
