import type { Browser, BrowserContext } from "playwright-core";
import { saveItem } from "../../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../../src/content/items/item.ts";
import { freePort } from "../../support/free-port.ts";
import { ended, listening } from "../../support/listening.ts";
import { openPeopleSite, PASSWORD } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";
import { until } from "../../support/until.ts";
import { linesOf, type Slots, textOf } from "../drafts/model.ts";
import { HELD_TIMERS } from "./held-timers.ts";

/** Ends a run that hangs. No verdict depends on it. */
const HANGS_AFTER_MS = 300_000;
const PEOPLE = ["anna@example.org", "bert@example.org"] as const;

/** A site in this process with two browsers that are signed in, and access to its record. */
export interface EditorsSite extends AsyncDisposable {
  origin: string;
  contexts: readonly [BrowserContext, BrowserContext];
  /** Publishes a page. @returns its id. */
  publish(slots: Slots): Promise<string>;
  stateOf(itemId: string): Promise<ItemState>;
  requests: Requests;
}

export interface Requests {
  /** Number of autosaves received so far. */
  autosaves(): number;
  /** Waits until all received requests are answered. */
  answered(): Promise<void>;
}

export interface ItemState {
  status: string;
  revision: number;
  draftId: string | null;
  /** What an editor who opens the item now would see: the draft applied to the item. */
  slots: Slots;
}

/** Opens the site, and signs each browser in with a separate account. */
export async function openEditorsSite(browser: Browser): Promise<EditorsSite> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const people = await openPeopleSite({ config: { origin }, now: () => new Date() });
  const { record, server } = people.app;
  let autosaves = 0;
  let unanswered = 0;
  server.prependListener("request", (request, response) => {
    if (request.url?.endsWith("/autosave") === true) autosaves += 1;
    unanswered += 1;
    response.once("close", () => {
      unanswered -= 1;
    });
  });
  await listening(server, port);
  const signedIn = async (email: (typeof PEOPLE)[number]) => {
    await people.person(email, "owner");
    const context = await browser.newContext();
    context.setDefaultTimeout(HANGS_AFTER_MS);
    await context.addInitScript(HELD_TIMERS);
    const page = await context.newPage();
    await page.goto(`${origin}/admin/sign-in`);
    await page.fill("[name=email]", email);
    await page.fill("[name=password]", PASSWORD);
    await page.click("button");
    await page.waitForURL("**/admin/desk");
    await page.close();
    return context;
  };
  return {
    origin,
    contexts: [await signedIn(PEOPLE[0]), await signedIn(PEOPLE[1])],
    async publish({ title, summary, body }) {
      const stated = { type: "page", status: "published", title, summary, body: textOf(body) };
      const input = itemInputSchema.parse(stated);
      return (await saveItem(record.content, OPERATOR, input, new Date())).item.id;
    },
    async stateOf(itemId) {
      const item = await record.content.item(itemId);
      if (item === null) throw new Error(`There is no item ${itemId}`);
      const draft = await record.drafts.ofItem(itemId);
      const value = (part: "title" | "summary" | "body") =>
        String(draft?.parts[part] ?? item[part]);
      return {
        status: item.status,
        revision: item.revision,
        draftId: draft?.id ?? null,
        slots: { title: value("title"), summary: value("summary"), body: linesOf(value("body")) },
      };
    },
    requests: {
      autosaves: () => autosaves,
      async answered() {
        await until(() => unanswered === 0);
      },
    },
    async [Symbol.asyncDispose]() {
      await ended(server);
      await people[Symbol.asyncDispose]();
    },
  };
}
