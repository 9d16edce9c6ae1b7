import { createReadStream } from "node:fs";
import { openOperatorApi } from "../app.ts";
import { AppError } from "../errors.ts";
import { createLog } from "../log.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

export interface ApiFlags {
  data?: string;
  header?: string[];
  include?: boolean;
}

/** `commonplace api METHOD PATH`: one request to the administrative interface, as the operator. */
export async function apiCommand(
  method: string,
  path: string,
  { flags, context: { config, terminal } }: { flags: ApiFlags; context: CommandContext },
): Promise<number> {
  const headers = headersOf(flags.header ?? []);
  const log = createLog("error", (line) => terminal.err(line.trimEnd()));
  await using api = await openOperatorApi(config, { log });
  const body = flags.data === undefined ? null : bodyOf(flags.data);
  const response = await api.ask(method.toUpperCase(), belowApi(path), { headers, body });
  if (!response.ok) {
    terminal.err(`error: ${await faultOf(response)}`);
    return 1;
  }
  if (flags.include === true) {
    for (const [name, value] of response.headers) terminal.out(`${name}: ${value}`);
    terminal.out("");
  }
  await print(response, terminal);
  return 0;
}

/** `/content`, `content` and `/api/v1/content` mean the same. */
function belowApi(path: string): string {
  const below = path.replace(/^\/api\/v1(?=\/|\?|$)/, "");
  return below.startsWith("/") ? below : `/${below}`;
}

/** JSON as it stands, `@` and a file, or `-` for standard input. */
function bodyOf(data: string): ReadableStream<Uint8Array> {
  if (data === "-") return ReadableStream.from<Uint8Array>(process.stdin);
  if (data.startsWith("@")) return ReadableStream.from<Uint8Array>(createReadStream(data.slice(1)));
  return new Blob([data]).stream();
}

function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).trim();
    try {
      headers.append(name, line.slice(colon + 1).trim());
    } catch {
      throw new AppError("invalid", `Cannot use the header "${line}": write NAME: VALUE`);
    }
  }
  return headers;
}

async function faultOf(response: Response): Promise<string> {
  const text = await response.text();
  if (response.headers.get("content-type") !== "application/problem+json") {
    return `The answer is ${response.status}`;
  }
  return String(JSON.parse(text).detail).replaceAll(/\s*\n\s*/g, " ");
}

/** JSON to be read by a person when there is one; anything else as it comes. */
async function print(response: Response, terminal: Terminal): Promise<void> {
  if (response.headers.get("content-type") === "application/json") {
    const text = await response.text();
    terminal.out(terminal.isInteractive ? JSON.stringify(JSON.parse(text), null, 2) : text);
    return;
  }
  for await (const piece of response.body ?? []) await terminal.write(piece);
}
