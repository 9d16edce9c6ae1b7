import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import {
  SHARE_PICTURE_HEIGHT,
  SHARE_PICTURE_WIDTH,
} from "../../../src/content/media/share-pictures.ts";
import { SCRIPTS } from "../../support/scripts.ts";
import type { DemoServer } from "../demo-server.ts";
import { ownMegabytes, untilIdle } from "../load/process-memory.ts";
import type { Verdict } from "../verdict.ts";
import { verdict } from "./layout.ts";
import { patientFetch } from "./patient-fetch.ts";

const MILLISECONDS_MAX = 400;
const MEGABYTES_MAX = 30;
/** Lengths of the texts, in characters. */
const SHORTEST = 20;
const LONGEST = 600;
/** The frame, in pixels from the edges; the bar along the top belongs to the drawing. */
const FRAME = { side: 40, top: 40, bottom: 20 };
const BAR_HEIGHT = 14;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Has the pictures of as many new quotations drawn, in all scripts and lengths, one after the other.
 * Measures where their texts stand, how long each took and what memory the server keeps.
 */
export async function judgeSharePictures(server: DemoServer, count: number): Promise<Verdict[]> {
  await publishQuotations(server, count);
  // The memory that the import took is not that of the pictures.
  await server.kill();
  await server.startAgain();
  const addresses: string[] = [];
  for (let number = 0; number < count; number += 1) {
    addresses.push(await pictureOf(`${server.origin}/quotations/judged-${number}`));
  }
  // Unpacks the fonts and starts the process that draws.
  await draw(await pictureOf(`${server.origin}/`));
  // The index of the desk takes in the import after the start, which takes memory too.
  await untilIdle(server.pid);
  const before = ownMegabytes(server.pid);
  const outside: string[] = [];
  const milliseconds: number[] = [];
  for (const address of addresses) {
    const start = performance.now();
    const bytes = await draw(address);
    milliseconds.push(performance.now() - start);
    const box = await inkOf(bytes);
    if (!isInside(box)) outside.push(`${address}: ${JSON.stringify(box)}`);
  }
  const more = ownMegabytes(server.pid) - before;
  const sorted = milliseconds.toSorted((left, right) => left - right);
  const p95 = sorted[Math.ceil(count * 0.95) - 1] ?? Number.NaN;
  const p50 = sorted[Math.floor(count / 2)] ?? Number.NaN;
  return [
    verdict(`${count} pictures for link previews in ${SCRIPTS.length} scripts: outside`, outside),
    {
      what: "time of a picture for link previews",
      isOfTime: true,
      passed: p95 <= MILLISECONDS_MAX,
      detail: `p95 ${Math.round(p95)} ms, p50 ${Math.round(p50)} ms`,
    },
    {
      what: "memory of the server after them",
      passed: more <= MEGABYTES_MAX,
      detail: `${Math.round(more)} MB more`,
    },
  ];
}

async function publishQuotations({ commonplace }: DemoServer, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-share-"));
  const authors = SCRIPTS.map(([language, , title]) => {
    return { type: "author", path: `/authors/judged-${language}`, title, status: "published" };
  });
  const quotations = Array.from({ length: count }, (_, number) => {
    const [language, words] = SCRIPTS[number % SCRIPTS.length] ?? ["en", "words"];
    const length = SHORTEST + ((number * 37) % (LONGEST - SHORTEST));
    const start = number % words.length;
    const text = `${words} `.repeat(Math.ceil((start + length) / words.length) + 1);
    return {
      ...{ type: "quotation", path: `/quotations/judged-${number}`, title: `Judged ${number}` },
      ...{ body: text.slice(start, start + length).trim(), language, status: "published" },
      relations: { authors: [`/authors/judged-${language}`] },
    };
  });
  try {
    const lines = [...authors, ...quotations].map((item) => `${JSON.stringify(item)}\n`);
    writeFileSync(join(folder, "judged.jsonl"), lines.join(""));
    await commonplace("import", folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function pictureOf(page: string): Promise<string> {
  const html = await (await patientFetch(page)).text();
  const [, address] = /<meta property="og:image" content="([^"]+)">/.exec(html) ?? [];
  if (address === undefined) throw new Error(`${page} has no picture for link previews`);
  return address;
}

async function draw(address: string): Promise<Buffer> {
  return Buffer.from(await (await patientFetch(address, {})).arrayBuffer());
}

/** The box around everything that differs from the paper below the bar. */
async function inkOf(bytes: Buffer): Promise<Box> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const rowBytes = info.width * info.channels;
  const paper = data.subarray(-info.channels);
  const box = { left: info.width, top: info.height, right: 0, bottom: 0 };
  for (let at = BAR_HEIGHT * rowBytes; at < data.length; at += info.channels) {
    if (data.compare(paper, 0, info.channels, at, at + info.channels) === 0) continue;
    const x = (at % rowBytes) / info.channels;
    const y = Math.floor(at / rowBytes);
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  return box;
}

function isInside({ left, top, right, bottom }: Box): boolean {
  return (
    left < right &&
    left >= FRAME.side &&
    right <= SHARE_PICTURE_WIDTH - FRAME.side &&
    top >= FRAME.top &&
    bottom <= SHARE_PICTURE_HEIGHT - FRAME.bottom
  );
}
