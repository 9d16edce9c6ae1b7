import { open } from "node:fs/promises";
import { openOperatorApi } from "../app/operator-api.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { createLog } from "../log.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

const ALLOWED_METHODS: readonly string[] = ["GET", "POST", "PATCH", "PUT", "DELETE"];

export interface ApiFlags {
  data?: string;
  header?: string[];
  include?: boolean;
}

/** `commonplace api METHOD PATH`: sends one request to the admin API as the operator. */
export async function runApiCommand(
  method: string,
  path: string,
  { flags, context: { config, terminal } }: { flags: ApiFlags; context: CommandContext },
): Promise<number> {
  const request = {
    method: knownMethod(method),
    headers: headersOf(flags.header ?? []),
    body: flags.data === undefined ? null : await bodyOf(flags.data),
  };
  const log = createLog("error", (line) => terminal.err(line.trimEnd()));
  await using api = await openOperatorApi(config, { log });
  const response = await api.ask(belowApi(path), request);
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

function knownMethod(word: string): string {
  const method = word.toUpperCase();
  if (ALLOWED_METHODS.includes(method)) return method;
  throw new AppError(
    "invalid",
    englishOnlyWording(`Cannot use the method "${word}": write ${ALLOWED_METHODS.join(", ")}`),
  );
}

/** The path below the API; accepts `/content`, `content` and `/api/v1/content`. */
function belowApi(path: string): string {
  const relativePath = path.replace(/^\/api\/v1(?=\/|\?|$)/, "");
  return relativePath.startsWith("/") ? relativePath : `/${relativePath}`;
}

/** `data`: literal JSON, `@FILE`, or `-` for standard input. */
async function bodyOf(data: string): Promise<ReadableStream<Uint8Array>> {
  if (data === "-") return ReadableStream.from<Uint8Array>(process.stdin);
  if (!data.startsWith("@")) return new Blob([data]).stream();
  const file = await open(data.slice(1));
  return ReadableStream.from<Uint8Array>(file.createReadStream());
}

function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).trim();
    try {
      headers.append(name, line.slice(colon + 1).trim());
    } catch {
      throw new AppError(
        "invalid",
        englishOnlyWording(`Cannot use the header "${line}": write NAME: VALUE`),
      );
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

/** Formats JSON on a terminal; prints everything else unchanged. */
async function print(response: Response, terminal: Terminal): Promise<void> {
  if (response.headers.get("content-type") === "application/json") {
    const text = await response.text();
    terminal.out(terminal.isInteractive ? JSON.stringify(JSON.parse(text), null, 2) : text);
    return;
  }
  for await (const piece of response.body ?? []) await terminal.write(piece);
}
