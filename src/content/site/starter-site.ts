import { isTransient } from "../../errors.ts";
import { saveItem } from "../editing/editing.ts";
import { type ItemInput, itemInputSchema } from "../items/item.ts";
import type { ContentRecord } from "../record.ts";
import { type SiteProfile, siteProfileSchema } from "./site.ts";
import { saveSite } from "./site-saving.ts";

/** Each attempt waits for the store's write lock. */
const ATTEMPTS_MAX = 10;

/**
 * Fills an empty store in one transaction. If several processes find it empty, one fills it and the
 * others wait.
 */
export async function fillEmpty(
  record: ContentRecord,
  fill: (record: ContentRecord) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; (await record.site()) === null; attempt += 1) {
    try {
      await record.write(async (transaction) => {
        if ((await transaction.site()) === null) await fill(transaction);
      });
      return;
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** Fills an empty store with a placeholder profile and the standard pages. */
export async function startSite(
  record: ContentRecord,
  now: Date,
  { hidden = false }: { hidden?: boolean } = {},
): Promise<void> {
  const actor = { kind: "operator" } as const;
  await fillEmpty(record, async (transaction) => {
    await saveSite(transaction, actor, { ...STARTER_PROFILE, hidden }, [], now);
    for (const page of STARTER_PAGES) await saveItem(transaction, actor, page, now);
  });
}

/** Placeholder until the site's own `site.yaml` is imported. */
const STARTER_PROFILE: SiteProfile = siteProfileSchema.parse({
  name: "New site",
  description: "A site that has just been set up and has not been described yet.",
  whenToUse: ["see what this association publishes"],
  contact: { email: "editors@example.org" },
});

/** The initial pages of every site, for its editors to rewrite. */
const STARTER_PAGES: readonly ItemInput[] = [
  {
    path: "/",
    title: "New site",
    summary: "This site has just been set up.",
    body: "Its editors will say here what the site is for. Read [about us](/about), or [write to us](/contact).",
    fields: { navigation: 0 },
  },
  {
    path: "/about",
    title: "About us",
    summary: "Who publishes this site.",
    body: "Its editors will say here who they are and how they work.",
    fields: { navigation: 1 },
  },
  {
    path: "/contact",
    title: "Contact",
    summary: "How to reach the editors, and how to ask for a key to the MCP service.",
    body: "Its editors will say here who reads what you write. Reading needs no key; research agents that want to search through the MCP service need one. Use the forms below.",
    fields: { navigation: 2 },
  },
  {
    path: "/privacy",
    title: "Privacy",
    summary: "What the site stores about visitors.",
    body: "This site sets no cookies and runs no scripts in your browser. The server may keep a log of requests to find faults and abuse. The words of searches are counted by the day, without anything that tells who searched, and kept for 90 days.\n\nWhat you send with the forms on [the contact page](/contact) is kept so that it can be answered: your name, e-mail address and message, or what you tell of your organisation and your task when you ask for a key. A year after the last that was done about it, it is erased. If you get a key, your name, address and task stay with it. Your network address is kept in memory for an hour, to hold off abuse.",
    fields: { navigation: 3 },
  },
  {
    path: "/imprint",
    title: "Imprint",
    summary: "Who is responsible for this site.",
    body: "Name of the association  \nStreet and number  \nPostal code and town\n\nRepresented by: …  \nE-mail: …  \nRegister and number: …\n\nResponsible for the content: …",
    status: "draft",
  },
  {
    path: "/accessibility",
    title: "Accessibility statement",
    summary: "How far this site can be used by everybody, and whom to tell of barriers.",
    body: "This statement was prepared on … after a review by ….\n\n## What works\n\nPages need no scripts, can be used by keyboard, follow the colours and text sizes of your device, and name the language of each text.\n\n## What does not\n\nList here what you know of, such as pictures without alternative text or documents that cannot be read aloud.\n\n## Tell us\n\nIf something is in your way, [write to us](/contact), and we answer within …. If we do not, you can turn to ….",
    status: "draft",
  },
].map((page) => itemInputSchema.parse({ status: "published", ...page, type: "page" }));
