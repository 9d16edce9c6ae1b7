import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";

const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--remote-debugging-port=0",
];
/** A picture that takes longer counts as never painted. */
const PAINT_MILLISECONDS_MAX = 20_000;
const DRAWN = `(async (svg) => {
  const begun = performance.now();
  const image = new Image(800, 800);
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const context = Object.assign(document.createElement("canvas"), { width: 800, height: 800 }).getContext("2d");
  context.drawImage(image, 0, 0, 800, 800);
  context.getImageData(400, 400, 1, 1);
  return performance.now() - begun;
})`;

const reply = z.object({
  id: z.number().optional(),
  result: z
    .object({
      targetId: z.string().optional(),
      sessionId: z.string().optional(),
      result: z.object({ value: z.number().optional() }).optional(),
    })
    .optional(),
});
type Reply = NonNullable<z.output<typeof reply>["result"]>;

/** A Chromium that paints one picture after the other. */
export class PaintingBrowser implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #socket: WebSocket;
  readonly #folder: string;
  readonly #waiting = new Map<number, (result: Reply) => void>();
  #session: string | null = null;
  #last = 0;

  static async start(): Promise<PaintingBrowser> {
    const folder = mkdtempSync(join(tmpdir(), "painting-"));
    const child = spawn(browserPath(), [...FLAGS, `--user-data-dir=${folder}`], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    for await (const line of createInterface({ input: child.stderr })) {
      const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address === undefined) continue;
      child.stderr.resume();
      const socket = new WebSocket(address);
      await once(socket, "open");
      return new PaintingBrowser(child, { socket, folder });
    }
    throw new Error("Chromium ended before it listened");
  }

  private constructor(
    child: ChildProcess,
    { socket, folder }: { socket: WebSocket; folder: string },
  ) {
    this.#process = child;
    this.#socket = socket;
    this.#folder = folder;
    socket.addEventListener("message", ({ data }) => {
      const { id, result = {} } = reply.parse(JSON.parse(String(data)));
      if (id !== undefined) this.#waiting.get(id)?.(result);
    });
  }

  /** @returns milliseconds; null if the picture is broken or takes too long. */
  async paint(svg: string): Promise<number | null> {
    this.#session ??= await this.#newPage();
    const expression = `${DRAWN}(${JSON.stringify(svg)})`;
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), PAINT_MILLISECONDS_MAX);
    const painted = await Promise.race([
      this.#send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }),
      late,
    ]);
    clearTimeout(timer);
    if (painted === null) this.#session = null;
    return painted?.result?.value ?? null;
  }

  async #newPage(): Promise<string> {
    const { targetId } = await this.#send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.#send("Target.attachToTarget", { targetId, flatten: true });
    return sessionId ?? "";
  }

  async #send(method: string, params: object): Promise<Reply> {
    this.#last += 1;
    const id = this.#last;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#waiting.set(id, resolve);
    const session = this.#session === null ? {} : { sessionId: this.#session };
    this.#socket.send(JSON.stringify({ id, method, params, ...session }));
    return await promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function browserPath(): string {
  const path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (place) => existsSync(place),
  );
  if (path === undefined) throw new Error("Chromium is not installed");
  return path;
}
