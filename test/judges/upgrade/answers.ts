const AT_ONCE = 8;

/** The answer at an address: the status, the redirect target and the words of the page. */
export interface Answer {
  status: number;
  location: string | null;
  words: string;
  /** The item's text on its page; empty if it has none. */
  text: string;
}

/** Requests addresses from a running site. */
export async function answersOf(
  origin: string,
  paths: readonly string[],
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const queue = [...paths];
  const worker = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      answers.set(path, await ask(origin, path));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return answers;
}

async function ask(origin: string, path: string): Promise<Answer> {
  const reply = await fetch(`${origin}${encodeURI(path)}`, {
    headers: { accept: "text/html" },
    redirect: "manual",
  });
  const html = await reply.text();
  const location = reply.headers.get("location");
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? "";
  const own = /<(?:blockquote class="saying"|div class="text")>([\s\S]*?)<\/(?:blockquote|div)>/;
  return {
    status: reply.status,
    location: location === null ? null : location.replace(origin, ""),
    words: wordsOf(main),
    text: wordsOf(own.exec(main)?.[1] ?? ""),
  };
}

/** Without spaces, because a version may put elements between words on separate lines. */
function wordsOf(html: string): string {
  return html.replaceAll(/<[^>]+>/g, "").replaceAll(/\s+/g, "");
}

/** Addresses whose answers have changed. */
export function changedAnswers(before: Map<string, Answer>, after: Map<string, Answer>): string[] {
  return [...before].flatMap(([path, was]) => {
    const is = after.get(path);
    if (is?.status !== was.status) return `${path}: ${was.status} became ${is?.status}`;
    if (is.location !== was.location) return `${path}: led to ${was.location}, not ${is.location}`;
    return is.words.includes(was.text)
      ? []
      : `${path}: the text "${was.text.slice(0, 100)}" is gone`;
  });
}
