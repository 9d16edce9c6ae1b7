import { readFileSync } from "node:fs";
import { dice } from "../../test/support/dice.ts";

/** A line of the demo's files, which the service never shows to an agent. */
interface Line {
  type: string;
  path: string;
  title: string;
  body: string;
  fields: Record<string, unknown>;
  relations: Record<string, readonly (string | { to: string })[]>;
}

export const KINDS = ["find", "compare", "list", "hops", "cite"] as const;
export type Kind = (typeof KINDS)[number];

export const STYLES = ["apa", "mla", "chicago", "bibtex"] as const;

/** The parts of a question that anyone can read from its words. */
export interface Slots {
  fragment?: string;
  author?: string;
  others?: readonly string[];
  topic?: string;
  work?: string;
  style?: (typeof STYLES)[number];
}

export interface Question {
  kind: Kind;
  text: string;
  slots: Slots;
  /** All of these must be in the answer. Lists must have nothing else. */
  gold: readonly string[];
}

const FILES = ["1-topics", "2-authors", "3-works", "4-quotations"];
const EACH = 8;
const FRAGMENT_WORDS = 7;

/** Eight questions of each kind about the demo, with expected answers computed from its files. */
export function questionsOn(folder: string, seed: number): Question[] {
  const demo = readDemo(folder);
  const roll = dice(seed);
  const pick = <T>(from: readonly T[]): T => {
    const one = from[roll(from.length)];
    if (one === undefined) throw new Error("There is nothing to choose from");
    return one;
  };
  return KINDS.flatMap((kind) =>
    Array.from({ length: EACH }, (_, n) => MAKERS[kind](demo, pick, n)),
  );
}

interface Demo {
  quotations: readonly Line[];
  titleOf(path: string): string;
  titleIsUnique(path: string): boolean;
}

type Pick = <T>(from: readonly T[]) => T;
type Maker = (demo: Demo, pick: Pick, n: number) => Question;

const MAKERS: Readonly<Record<Kind, Maker>> = {
  find(demo, pick) {
    const line = pick(demo.quotations.filter(hasSource));
    const fragment = fragmentOf(line, pick);
    return {
      kind: "find",
      text: `Who wrote “${fragment}”, in which work and where in it?`,
      slots: { fragment },
      gold: [...authorsOf(line, demo), workOf(line, demo), String(line.fields["locator"])],
    };
  },

  compare(demo, pick, n) {
    const topic = pick(topicsOf(demo, 30));
    const counts = countedBy(demo, topic, "authors");
    const [most, second] = counts;
    if (most === undefined || second === undefined || most[1] === second[1]) {
      return MAKERS.compare(demo, pick, n);
    }
    if (n % 2 === 0) {
      return {
        kind: "compare",
        text: `Which author has most quotations on ${demo.titleOf(topic)}, and how many?`,
        slots: { topic: demo.titleOf(topic) },
        gold: [demo.titleOf(most[0]), String(most[1])],
      };
    }
    const [a, b] = [pick(counts.slice(0, 4)), pick(counts.slice(4, 10))];
    const names = [demo.titleOf(a[0]), demo.titleOf(b[0])];
    return {
      kind: "compare",
      text: `How many quotations on ${demo.titleOf(topic)} are by ${names.join(" and how many by ")}?`,
      slots: { topic: demo.titleOf(topic), others: names },
      gold: [`${names[0]}: ${a[1]}`, `${names[1]}: ${b[1]}`],
    };
  },

  list(demo, pick, n) {
    const topic = pick(topicsOf(demo, 20));
    const [author, count] = pick(countedBy(demo, topic, "authors").slice(0, 12));
    if (count < 5 || count > 25) return MAKERS.list(demo, pick, n);
    const found = demo.quotations.filter(
      (line) =>
        linksOf(line, "topics").includes(topic) && linksOf(line, "authors").includes(author),
    );
    return {
      kind: "list",
      text: `List the addresses of all quotations by ${demo.titleOf(author)} on ${demo.titleOf(topic)}.`,
      slots: { author: demo.titleOf(author), topic: demo.titleOf(topic) },
      gold: found.map(({ path }) => path).sort(),
    };
  },

  hops(demo, pick, n) {
    const line = pick(demo.quotations.filter(hasSource));
    const fragment = fragmentOf(line, pick);
    const [author = ""] = linksOf(line, "authors");
    const ofAuthor = demo.quotations.filter((each) => linksOf(each, "authors").includes(author));
    if (n % 2 === 0) {
      const topic = pick(topicsOf(demo, 30));
      const count = ofAuthor.filter((each) => linksOf(each, "topics").includes(topic)).length;
      if (count === 0) return MAKERS.hops(demo, pick, n);
      return {
        kind: "hops",
        text: `How many quotations on ${demo.titleOf(topic)} are by the author of “${fragment}”?`,
        slots: { fragment, topic: demo.titleOf(topic) },
        gold: [String(count)],
      };
    }
    const [work = ""] = linksOf(line, "work");
    const counts = new Map<string, number>();
    for (const each of demo.quotations.filter((one) => linksOf(one, "work").includes(work))) {
      for (const topic of linksOf(each, "topics")) counts.set(topic, (counts.get(topic) ?? 0) + 1);
    }
    const [most, second] = [...counts].sort(([, a], [, b]) => b - a);
    const isPlain = most !== undefined && most[1] !== second?.[1];
    if (!isPlain) return MAKERS.hops(demo, pick, n);
    return {
      kind: "hops",
      text: `On which topic are most quotations from the work with “${fragment}”, and how many?`,
      slots: { fragment },
      gold: [demo.titleOf(most[0]), String(most[1])],
    };
  },

  cite(demo, pick, n) {
    const line = pick(demo.quotations.filter(hasSource));
    const fragment = fragmentOf(line, pick);
    const style = STYLES[n % STYLES.length] ?? "apa";
    return {
      kind: "cite",
      text: `Quote the whole passage with “${fragment}” and cite it in ${style} style.`,
      slots: { fragment, style },
      gold: [
        plain(line.body),
        familyOf(authorsOf(line, demo)[0] ?? ""),
        String(line.fields["locator"]),
        line.path,
      ],
    };
  },
};

function readDemo(folder: string): Demo {
  const lines = FILES.flatMap((name) =>
    readFileSync(`${folder}/content/${name}.jsonl`, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line): Line => {
        const { relations = {}, fields = {}, body = "", ...rest } = JSON.parse(line);
        return { relations, fields, body, ...rest };
      }),
  );
  const titles = new Map(lines.map(({ path, title }) => [path, title]));
  return {
    quotations: lines.filter(({ type }) => type === "quotation"),
    titleOf: (path) => titles.get(path) ?? path,
    titleIsUnique: (path) =>
      lines.filter(({ title, type }) => title === titles.get(path) && type !== "quotation")
        .length === 1,
  };
}

/** Whether a quotation has a work, a place and enough words in one paragraph for a fragment. */
function hasSource(line: Line): boolean {
  return (
    linksOf(line, "work").length > 0 &&
    typeof line.fields["locator"] === "string" &&
    !/[*_[\]\n]/.test(line.body) &&
    line.body.split(" ").length >= FRAGMENT_WORDS + 4
  );
}

function fragmentOf({ body }: Line, pick: Pick): string {
  const words = body.split(" ");
  const start = pick(Array.from({ length: words.length - FRAGMENT_WORDS }, (_, at) => at));
  return words.slice(start, start + FRAGMENT_WORDS).join(" ");
}

function linksOf({ relations }: Line, name: string): string[] {
  return (relations[name] ?? []).map((link) => (typeof link === "string" ? link : link.to));
}

function authorsOf(line: Line, demo: Demo): string[] {
  return linksOf(line, "authors").map(demo.titleOf);
}

function workOf(line: Line, demo: Demo): string {
  return demo.titleOf(linksOf(line, "work")[0] ?? "");
}

/** Topics with at least this many quotations and a unique name. */
function topicsOf(demo: Demo, quotationsMin: number): string[] {
  const counts = new Map<string, number>();
  for (const line of demo.quotations) {
    for (const topic of linksOf(line, "topics")) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  return [...counts].flatMap(([topic, count]) =>
    count >= quotationsMin && demo.titleIsUnique(topic) ? [topic] : [],
  );
}

function countedBy(demo: Demo, topic: string, relation: string): [path: string, count: number][] {
  const counts = new Map<string, number>();
  for (const line of demo.quotations.filter((each) => linksOf(each, "topics").includes(topic))) {
    for (const path of linksOf(line, relation)) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** A text without white space and quotation marks. */
export function plain(text: string): string {
  return text
    .replaceAll(/[“”"‘’'\\]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function familyOf(name: string): string {
  return name.split(" ").at(-1) ?? name;
}
