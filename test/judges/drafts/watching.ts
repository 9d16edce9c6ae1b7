import { askApi, type KillableSite } from "./site.ts";

/** A word that readers search for. It is in every draft, and answers repeat it. */
const SEARCHED = "zyxwquincunx";
/** A word that is in every part of every draft, and that no reader sends. */
const HIDDEN = "vexmalquist";
const MARKER = new RegExp(`${HIDDEN}([a-z]+)`, "i");
const DRAFTS = 20;
const WRITERS = 4;

export interface Watched {
  saves: number;
  reads: number;
  /** The parts of drafts that were looked for, each stored in at least one draft. */
  parts: readonly string[];
  /** Addresses and calls whose answers contained text of a draft, and the part it is from. */
  leaks: string[];
}

interface WatchedDraft {
  id: string;
  version: number;
  /** Makes its path unique. */
  number: number;
}

/** Saves drafts of published and new items many times while everything public is read. */
export async function watchSurfaces(site: KillableSite, saves: number): Promise<Watched> {
  const found: Watched = { saves: 0, reads: 0, parts: [], leaks: [] };
  const { body } = await askApi(site, "GET", "/content?type=topic&limit=20");
  const items: { id: string; path: string }[] = body.items;
  const drafts: WatchedDraft[] = [];
  for (let number = 0; number < DRAFTS; number += 1) {
    drafts.push(await startDraft(site, items[number]?.id, number));
  }
  const linked = items.at(-1)?.path ?? "";
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let save = writer; save < saves; save += WRITERS) {
      const draft = drafts[save % DRAFTS];
      if (draft !== undefined) await autosave(site, draft, { save, linked });
      found.saves += 1;
    }
  });
  let isWriting = true;
  const reading = surfaces(site, items).map(async (read) => {
    while (isWriting) await read(found);
  });
  await Promise.all(writing);
  isWriting = false;
  await Promise.all(reading);
  return { ...found, parts: await partsStored(site, drafts) };
}

async function startDraft(
  site: KillableSite,
  itemId: string | undefined,
  number: number,
): Promise<WatchedDraft> {
  const about = itemId === undefined || number % 4 === 3 ? { type: "topic" } : { itemId };
  const { body } = await askApi(site, "POST", "/drafts", { body: { ...about, changes: {} } });
  const path = `/drafts/${body.id}`;
  await askApi(site, "POST", `${path}/notes`, { body: { text: `${HIDDEN}note ${SEARCHED}` } });
  const asked = { note: `${HIDDEN}review ${SEARCHED}` };
  const review = await askApi(site, "POST", `${path}/review`, { body: asked });
  return { id: body.id, version: review.body.version, number };
}

async function autosave(
  site: KillableSite,
  draft: WatchedDraft,
  { save, linked }: { save: number; linked: string },
): Promise<void> {
  const changes = {
    title: `${SEARCHED} ${HIDDEN}title ${save}`,
    summary: `${SEARCHED} ${HIDDEN}summary ${save}`,
    body: `Text of ${SEARCHED} ${HIDDEN}body ${save}.`,
    path: `/topics/${HIDDEN}path-${draft.number}`,
    redirectFrom: [`/former/${HIDDEN}redirect-${draft.number}`],
    fields: { aliases: [`${SEARCHED} ${HIDDEN}alias ${save}`] },
    relations: { see_also: [{ to: linked, note: `${SEARCHED} ${HIDDEN}link ${save}` }] },
  };
  const { status, body } = await askApi(site, "PATCH", `/drafts/${draft.id}`, {
    body: { version: draft.version, changes },
  });
  // The two writers of a draft may conflict. The next save starts from the present state.
  const now = status === 200 ? body : (await askApi(site, "GET", `/drafts/${draft.id}`)).body;
  draft.version = now.version;
}

/** The marked parts that the drafts have, as the API shows them: what is not stored cannot leak. */
async function partsStored(site: KillableSite, drafts: readonly WatchedDraft[]): Promise<string[]> {
  const parts = new Set<string>();
  for (const { id } of drafts) {
    for (const path of [`/drafts/${id}`, `/drafts/${id}/notes`]) {
      const text = JSON.stringify((await askApi(site, "GET", path)).body);
      for (const [, part = ""] of text.matchAll(new RegExp(MARKER, "gi"))) parts.add(part);
    }
  }
  return [...parts].sort();
}

type Read = (found: Watched) => Promise<void>;

/** A reader for each kind of surface. */
function surfaces(site: KillableSite, items: readonly { id: string; path: string }[]): Read[] {
  const { origin, mcpKey } = site;
  const pages = items.flatMap(({ path }) => [path, `${path}.md`, `${path}/feed.atom`]);
  const documents = [
    ...["/", "/index.md", "/?mode=agent", "/topics", "/topics.md", "/topics/llms.txt"],
    ...["/llms.txt", "/llms-full.txt", "/sitemap.xml", "/feed.atom", "/feed.json", "/timeline"],
    ...[`/search?q=${SEARCHED}`, `/search.md?q=${SEARCHED}`, `/topics/${SEARCHED}`],
  ];
  const pageReader = (paths: readonly string[]): Read => {
    const nextPath = inTurn(paths);
    return async (found) => {
      const path = nextPath();
      note(found, path, await (await fetch(origin + path)).text());
    };
  };
  const calls = [
    { name: "search_content", arguments: { query: SEARCHED } },
    { name: "list_topics", arguments: { query: SEARCHED } },
    { name: "list_content", arguments: { type: "topic" } },
    { name: "describe_content_catalog", arguments: {} },
    ...items.map(({ path }) => ({ name: "get_content_by_url", arguments: { url: path } })),
    ...items.map(({ path }) => ({ name: "get_related_content", arguments: { url: path } })),
  ];
  const nextCall = inTurn(calls);
  const readByMcp: Read = async (found) => {
    const params = nextCall();
    const answer = await fetch(`${origin}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${mcpKey}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    note(found, `MCP ${JSON.stringify(params)}`, await answer.text());
  };
  const nextItem = inTurn(items);
  const readByApi: Read = async (found) => {
    const path = `/content/${nextItem().id}`;
    note(found, path, JSON.stringify((await askApi(site, "GET", path)).body));
  };
  return [pageReader(pages), pageReader(documents), readByMcp, readByApi];
}

function note(found: Watched, what: string, text: string): void {
  found.reads += 1;
  const part = MARKER.exec(text)?.[1];
  if (part !== undefined) found.leaks.push(`${part} in ${what}`);
}

/** Returns the entries in turn, over and over. */
function inTurn<T>(list: readonly T[]): () => T {
  const entries = (function* () {
    for (;;) yield* list;
  })();
  return () => {
    const { value } = entries.next();
    if (value === undefined) throw new Error("Nothing to take turns with");
    return value;
  };
}
