const LOOK_EVERY_MILLISECONDS = 500;
const HEARTBEAT_MILLISECONDS = 15_000;
/** Whoever still listens connects again. */
const STREAM_MILLISECONDS_MAX = 10 * 60 * 1000;

/**
 * Server-Sent Events of something under way: `progress` whenever it has changed, `end` when it has
 * ended, and a comment now and then, so that nothing in between takes the line for dead.
 */
export function jobEvents(
  look: () => Promise<{ endedAt: string | null }>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream({
    async start(controller) {
      const openedAt = performance.now();
      let toldAt = openedAt;
      let told = "";
      const send = (text: string) => {
        controller.enqueue(encoder.encode(text));
        toldAt = performance.now();
      };
      const tell = async () => {
        const state = await look();
        const data = JSON.stringify(state);
        const hasEnded = state.endedAt !== null;
        if (data !== told) send(`event: ${hasEnded ? "end" : "progress"}\ndata: ${data}\n\n`);
        else if (performance.now() - toldAt >= HEARTBEAT_MILLISECONDS) send(": still here\n\n");
        told = data;
        if (hasEnded || performance.now() - openedAt > STREAM_MILLISECONDS_MAX) controller.close();
        else timer = setTimeout(() => tell().catch(fail), LOOK_EVERY_MILLISECONDS);
      };
      const fail = (error: unknown) => controller.error(error);
      await tell();
    },
    cancel() {
      clearTimeout(timer);
    },
  });
}
