import type { DemoServer } from "../demo-server.ts";
import { type Asked, ask, edit, toolCall } from "../scale/asking.ts";
import { seededNumbers } from "../scale/corpus.ts";

const WORDS =
  "time life death courage virtue wisdom soul friend anger fortune money nature reason king city war law knowledge happiness pleasure pain fear hope love hate truth youth age memory".split(
    " ",
  );
const BROWSER = { accept: "text/html", "accept-encoding": "gzip, deflate, br, zstd" };
const AGENT = { accept: "text/markdown", "accept-encoding": "gzip" };

/** Keys of an agent and an editor, and the addresses to request. */
export interface Site {
  readingKey: string;
  writingKey: string;
  paths: readonly string[];
  /** Id of an item that is edited again and again. */
  itemId: string;
}

/** Reads the addresses of the demo and issues keys. */
export async function openSite(server: DemoServer): Promise<Site> {
  const readingKey = await server.issueKey(100_000);
  const words = ["keys", "issue", "--name", "editor", "--rate", "100000", "--json"];
  const scopes = ["content:read", "content:write", "content:publish"].flatMap((scope) => [
    "--scope",
    scope,
  ]);
  const { key: writingKey } = JSON.parse(await server.commonplace(...words, ...scopes));
  const sitemap = await (await fetch(`${server.origin}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>[a-z]+:\/\/[^/<]+(\/[^<]*)/g)].map(
    ([, path]) => path ?? "",
  );
  const list = await ask(server.origin, edit(writingKey, "GET", "/content?type=topic&limit=1"));
  const [item] = JSON.parse(list.text).items;
  return { readingKey, writingKey, paths, itemId: String(item.id) };
}

/** Requests of people, agents and editors, drawn from a seed. */
export class Mix {
  readonly #site: Site;
  readonly #next: () => number;
  #number = 0;

  constructor(site: Site, seed: number) {
    this.#site = site;
    this.#next = seededNumbers(seed);
  }

  /**
   * Of a hundred: 88 pages, 6 tool calls, 3 searches, 2 known pages, and one change, after which all pages
   * are new.
   */
  any(): Asked {
    const share = this.#next() % 100;
    if (share < 88) return this.page();
    if (share < 94) return this.call();
    if (share < 97) return this.search();
    return share < 99 ? { path: "/topics", headers: BROWSER } : this.change();
  }

  page(): Asked {
    const path = this.#site.paths[this.#next() % this.#site.paths.length] ?? "/";
    return { path, headers: this.#next() % 4 === 0 ? AGENT : BROWSER };
  }

  search(): Asked {
    const words = [this.#word(), this.#word()].join("+");
    return { path: `/search?q=${words}`, headers: BROWSER };
  }

  call(): Asked {
    this.#number += 1;
    const url = `/topics?n=${this.#number}`;
    return toolCall(this.#site.readingKey, "get_content_by_url", { url });
  }

  change(): Asked {
    this.#number += 1;
    const summary = `Summary ${this.#number}`;
    return edit(this.#site.writingKey, "PATCH", `/content/${this.#site.itemId}`, { summary });
  }

  #word(): string {
    return WORDS[this.#next() % WORDS.length] ?? "";
  }
}
