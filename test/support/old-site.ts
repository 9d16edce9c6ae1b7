import { createServer } from "node:http";
import { ended, listening } from "./listening.ts";

interface OldPage {
  body?: string;
  type?: string;
  location?: string;
}

/** A live site that is to be imported, and the paths it was asked for. */
export interface OldSite extends AsyncDisposable {
  origin: string;
  asked: string[];
}

/** Serves pages by path; anything else is missing. */
export async function openOldSite(pages: Readonly<Record<string, OldPage>>): Promise<OldSite> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const found = pages[path];
    if (found === undefined) return response.writeHead(404).end();
    const { body = "", type = "text/html; charset=utf-8", location } = found;
    const etag = `"${path}"`;
    if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
    const moved = location === undefined ? {} : { Location: location };
    const status = location === undefined ? 200 : 301;
    return response.writeHead(status, { "Content-Type": type, ETag: etag, ...moved }).end(body);
  });
  const origin = `http://127.0.0.1:${await listening(server)}`;
  return { origin, asked, [Symbol.asyncDispose]: () => ended(server) };
}

/** A page of HTML with a title and a text. */
export function oldPage(title: string, body: string): OldPage {
  return {
    body: `<!doctype html><html lang="en"><title>${title} | Society</title><main><h1>${title}</h1>${body}</main></html>`,
  };
}
