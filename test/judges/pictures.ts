import type { Browser } from "playwright-core";
import { launch } from "./admin/browser.ts";
import { type DemoServer, startDemoServer } from "./demo-server.ts";
import { CAMERA, photograph, TAKEN } from "./pictures/photograph.ts";
import { watchProcess } from "./pictures/process-cost.ts";
import { publishLargePicture, publishPicture } from "./pictures/publishing.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Measures what a photograph costs the server and its readers: `npm run judge:pictures`. Needs Linux and
 * Chromium.
 */
const CPU_SECONDS_MAX = 3;
const MORE_MEGABYTES_MAX = 300;
const LCP_MILLISECONDS_MAX = 2000;
const BYTES_MAX = 200_000;
const RUNS = 3;
/** A phone on a slow network, as Lighthouse defines it. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 2.625, isMobile: true };
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 90_000,
};
const CPU_SLOWDOWN = 4;

/** Runs in the page. */
const LARGEST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const last = list.getEntries().at(-1);
    resolve({ milliseconds: last.startTime, element: last.element?.tagName ?? "none" });
  }).observe({ type: "largest-contentful-paint", buffered: true });
})`;

const server = await startDemoServer();
try {
  const verdicts = [...(await judgeMaking(server)), ...(await judgeReading(server))];
  process.exitCode = announce(verdicts);
} finally {
  await server.stop();
}

/** A photograph of 12 megapixels with GPS data, and everything that is served of it. */
async function judgeMaking(server: DemoServer): Promise<Verdict[]> {
  const path = await publishPicture(server, await photograph(4000, 3000), "large");
  const id = /[0-9a-f]{32}/.exec(path)?.[0] ?? "";
  const smallest = `${server.origin}/media/${id}-320.avif`;
  const cost = await watchProcess(server.pid, async () => {
    return (await fetch(smallest, { redirect: "manual" })).status === 200;
  });
  const page = await (await fetch(`${server.origin}/large`)).text();
  const addresses = new Set(
    [...page.matchAll(/\/media\/[0-9a-f]{32}[^\s"]*/g)].map(([each]) => each),
  );
  const leaks: string[] = [];
  for (const address of addresses) {
    const served = await fetch(server.origin + address, { redirect: "error" });
    const bytes = Buffer.from(await served.arrayBuffer());
    if (bytes.includes(CAMERA) || bytes.includes(TAKEN)) leaks.push(address);
  }
  return [
    {
      what: "smaller versions of 12 megapixels, CPU",
      isOfTime: true,
      passed: cost.cpuSeconds <= CPU_SECONDS_MAX,
      detail: `${cost.cpuSeconds.toFixed(2)} s`,
    },
    {
      what: "smaller versions of 12 megapixels, memory",
      passed: cost.moreMegabytes <= MORE_MEGABYTES_MAX,
      detail: `${Math.round(cost.moreMegabytes)} MB more`,
    },
    {
      what: "place, time and camera in what is served",
      passed: leaks.length === 0 && addresses.size === 9,
      detail: `${leaks.length} of ${addresses.size} forms`,
    },
  ];
}

async function judgeReading(server: DemoServer): Promise<Verdict[]> {
  await publishLargePicture(server, "reading");
  const browser = await launch();
  try {
    const runs: Reading[] = [];
    for (let run = 0; run < RUNS; run += 1)
      runs.push(await read(browser, `${server.origin}/reading`));
    const slowest = Math.max(...runs.map(({ milliseconds }) => milliseconds));
    const heaviest = Math.max(...runs.map(({ bytes }) => bytes));
    const isPicture = runs.every(({ element }) => element === "IMG");
    return [
      {
        what: "largest paint is the picture of 3,200 pixels",
        passed: isPicture,
        detail: String(runs[0]?.element),
      },
      {
        what: "largest paint",
        isOfTime: true,
        passed: slowest <= LCP_MILLISECONDS_MAX,
        detail: `${runs.map(({ milliseconds }) => Math.round(milliseconds)).join(", ")} ms`,
      },
      {
        what: "transferred for it",
        passed: heaviest <= BYTES_MAX,
        detail: `${Math.round(heaviest / 1000)} kB`,
      },
    ];
  } finally {
    await browser.close();
  }
}

interface Reading {
  /** The last candidate of Largest Contentful Paint. */
  milliseconds: number;
  element: string;
  bytes: number;
}

async function read(browser: Browser, address: string): Promise<Reading> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    let bytes = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", NETWORK);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    await page.goto(address, { waitUntil: "networkidle" });
    const paint = await page.evaluate<Omit<Reading, "bytes">>(LARGEST_PAINT);
    return { ...paint, bytes };
  } finally {
    await context.close();
  }
}
