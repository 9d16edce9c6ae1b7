import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";

/**
 * The limit for comparison: node:http that only sends prepared bytes. It reads and parses a POST, and
 * serialises the prepared JSON again. `node floor.ts PORT FILE`.
 */
interface Prepared {
  status: number;
  /** Alternating names and values. */
  headers: string[];
  /** Base64. */
  body: string;
}

/** Equal to the server's, because answers state it. */
const KEEP_ALIVE_MILLISECONDS = 65_000;

const [port, file] = process.argv.slice(2);
const prepared: Record<string, Prepared> = JSON.parse(readFileSync(String(file), "utf8"));
const answers = new Map(
  Object.entries(prepared).map(([name, { status, headers, body }]) => {
    const bytes = Buffer.from(body, "base64");
    const isCoded = headers.some((value) => value.toLowerCase() === "content-encoding");
    const isJson = !isCoded && headers.some((value) => value.startsWith("application/json"));
    return [`/${name}`, { status, headers, bytes, json: isJson ? JSON.parse(`${bytes}`) : null }];
  }),
);

createServer({ keepAliveTimeout: KEEP_ALIVE_MILLISECONDS }, (request, response) => {
  const answer = answers.get(request.url ?? "");
  if (answer === undefined) {
    response.writeHead(404).end();
  } else if (request.method === "GET") {
    response.writeHead(answer.status, answer.headers);
    response.end(answer.status === 304 ? undefined : answer.bytes);
  } else {
    readBody(request, (body) => {
      JSON.parse(body);
      response.writeHead(answer.status, answer.headers);
      response.end(JSON.stringify(answer.json));
    });
  }
}).listen(Number(port), "127.0.0.1", () => console.log("ready"));

function readBody(request: IncomingMessage, then: (body: string) => void): void {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => then(Buffer.concat(pieces).toString()));
}
