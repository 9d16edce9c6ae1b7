const POLL_MILLISECONDS = 500;
const HEARTBEAT_MILLISECONDS = 15_000;
/** Maximum duration of a stream; clients reconnect afterwards. */
const STREAM_MILLISECONDS_MAX = 10 * 60 * 1000;

/**
 * Server-Sent Events of a running job: `progress` after each change, and `end` once the job has
 * ended. Comment lines in between make proxies keep the connection open.
 */
export function streamJobEvents(
  readJob: () => Promise<{ endedAt: string | null }>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream({
    async start(controller) {
      const openedAt = performance.now();
      let sentAt = openedAt;
      let lastData = "";
      const send = (text: string) => {
        controller.enqueue(encoder.encode(text));
        sentAt = performance.now();
      };
      const poll = async () => {
        const state = await readJob();
        const data = JSON.stringify(state);
        const hasEnded = state.endedAt !== null;
        if (data !== lastData) send(`event: ${hasEnded ? "end" : "progress"}\ndata: ${data}\n\n`);
        else if (performance.now() - sentAt >= HEARTBEAT_MILLISECONDS) send(": still here\n\n");
        lastData = data;
        if (hasEnded || performance.now() - openedAt > STREAM_MILLISECONDS_MAX) controller.close();
        else timer = setTimeout(() => poll().catch(fail), POLL_MILLISECONDS);
      };
      const fail = (error: unknown) => controller.error(error);
      await poll();
    },
    cancel() {
      clearTimeout(timer);
    },
  });
}
