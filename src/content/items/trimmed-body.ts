/**
 * Removes leading and trailing empty lines, because their number depends on the file format. Takes
 * linear time.
 */
export function trimBody(body: string): string {
  let start = 0;
  let end = body.length;
  while (start < end && body[start] === "\n") start += 1;
  while (end > start && body[end - 1] === "\n") end -= 1;
  return body.slice(start, end);
}
