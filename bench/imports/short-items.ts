import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";

interface ShortText {
  id: string;
  title: string;
  text: string;
}

/** Writes texts, one JSON object a line and compressed with zstd, as published items without links. */
export async function writeShortItems(texts: string, file: string): Promise<void> {
  const lines = createInterface({ input: createReadStream(texts).pipe(createZstdDecompress()) });
  await pipeline(Readable.from(itemLines(lines)), createWriteStream(file));
}

async function* itemLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    const { id, title, text }: ShortText = JSON.parse(line);
    const item = { type: "quotation", title, body: text, sourceKey: id, status: "published" };
    yield `${JSON.stringify(item)}\n`;
  }
}
