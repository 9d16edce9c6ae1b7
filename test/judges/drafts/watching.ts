import { askApi, type KillableSite } from "./site.ts";

/** A word that is in every saved draft, and in nothing public. */
const SECRET = "zyxwquincunx";
const DRAFTS = 20;
const WRITERS = 4;

export interface Watched {
  saves: number;
  reads: number;
  /** Addresses and calls whose answers contained text of a draft. */
  leaks: string[];
}

/** Saves drafts of published and new items many times while everything public is read. */
export async function watchSurfaces(site: KillableSite, saves: number): Promise<Watched> {
  const found: Watched = { saves: 0, reads: 0, leaks: [] };
  const { body } = await askApi(site, "GET", "/content?type=topic&limit=20");
  const items: { id: string; path: string }[] = body.items;
  const drafts = await Promise.all(
    Array.from({ length: DRAFTS }, (_, number) => startDraft(site, items[number]?.id, number)),
  );
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let save = writer; save < saves; save += WRITERS) {
      const draft = drafts[save % DRAFTS];
      if (draft !== undefined) await autosave(site, draft, save);
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
  return found;
}

async function startDraft(
  site: KillableSite,
  itemId: string | undefined,
  number: number,
): Promise<{ id: string; version: number }> {
  const about = itemId === undefined || number % 4 === 3 ? { type: "topic" } : { itemId };
  const { body } = await askApi(site, "POST", "/drafts", { body: { ...about, changes: {} } });
  return body;
}

async function autosave(
  site: KillableSite,
  draft: { id: string; version: number },
  save: number,
): Promise<void> {
  const changes = {
    title: `${SECRET} ${save}`,
    summary: SECRET,
    body: `Text of ${SECRET} ${save}.`,
  };
  const { status, body } = await askApi(site, "PATCH", `/drafts/${draft.id}`, {
    body: { version: draft.version, changes },
  });
  // The two writers of a draft may conflict. The next save starts from the present state.
  const now = status === 200 ? body : (await askApi(site, "GET", `/drafts/${draft.id}`)).body;
  draft.version = now.version;
}

type Read = (found: Watched) => Promise<void>;

/** A reader for each kind of surface. */
function surfaces(site: KillableSite, items: readonly { id: string; path: string }[]): Read[] {
  const { origin, mcpKey } = site;
  const pages = items.flatMap(({ path }) => [path, `${path}.md`, `${path}/feed.atom`]);
  const documents = [
    ...["/", "/index.md", "/?mode=agent", "/topics", "/topics.md", "/topics/llms.txt"],
    ...["/llms.txt", "/llms-full.txt", "/sitemap.xml", "/feed.atom", "/feed.json"],
    ...[`/search?q=${SECRET}`, `/search.md?q=${SECRET}`, `/topics/${SECRET}`],
  ];
  const pageReader = (paths: readonly string[]): Read => {
    const nextPath = inTurn(paths);
    return async (found) => {
      const path = nextPath();
      note(found, path, await (await fetch(origin + path)).text());
    };
  };
  const calls = [
    { name: "search_content", arguments: { query: SECRET } },
    { name: "list_topics", arguments: { query: SECRET } },
    ...items.map(({ path }) => ({ name: "get_content_by_url", arguments: { url: path } })),
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

/** A search repeats the query, so only words of drafts next to it count. */
function note(found: Watched, what: string, text: string): void {
  found.reads += 1;
  if (new RegExp(`Text of ${SECRET}|${SECRET} \\d`).test(text)) found.leaks.push(what);
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
