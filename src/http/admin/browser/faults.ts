/**
 * Why a request failed: the server's reason if it gave one, otherwise `failed`. Without a
 * connection, `answer` is null, and the text is `offline`.
 */
export function requestErrorText(
  answer: Pick<Response, "headers"> | null,
  { offline = "", failed = "" }: Readonly<Record<string, string | undefined>>,
): string {
  if (answer === null) return offline;
  const fault = answer.headers.get("X-Fault");
  return fault === null ? failed : decodeURIComponent(fault);
}
