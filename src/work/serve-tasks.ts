const CHECK_MILLISECONDS = 100;

/**
 * The child-process side of a {@link TaskProgram}: answers each task. The process exits when the server does,
 * or when it uses more than `bytesMax` of memory.
 */
export function serveTasks(
  answer: (task: unknown) => Promise<unknown>,
  { bytesMax }: { bytesMax: number },
): void {
  process.on("disconnect", () => process.exit());
  process.on("message", async (task) => {
    process.send?.(await answer(task));
  });
  setInterval(() => {
    if (process.memoryUsage.rss() < bytesMax) return;
    process.stderr.write("Too much memory");
    process.exit(1);
  }, CHECK_MILLISECONDS).unref();
}
