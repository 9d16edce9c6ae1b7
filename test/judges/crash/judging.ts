import type { Facts, TreeEntry } from "./facts.ts";
import type { Outcome, Started } from "./next-start.ts";
import type { Moment, Scenario } from "./scenarios.ts";

/** The kinds of faults after a crash, in the order in which they are printed. */
export const FAULTS = [
  "acknowledged lost",
  "file lost",
  "empty site",
  "half a change",
  "does not start",
  "leftover",
  "not private",
  "cannot be repeated",
] as const;

export interface Fault {
  kind: (typeof FAULTS)[number];
  detail: string;
}

/**
 * What a data folder keeps. This includes the desk's index and smaller pictures, which are made again when
 * needed, and files that a crash left unknown, which stay in the trash for 30 days.
 */
const OWN =
  /^data(?:\/(?:commonplace\.db|desk\.db(?:\.lock)?(?:-wal|-shm|-journal)?|picture-sizes(?:\/.*)?|share-pictures(?:\/.*)?|server\.lock|setup-code|(?:site|last-backup)\.json|media(?:\/receiving|\/[0-9a-f]{32}\.[a-z0-9]+)?|media-trash(?:\/.*)?|jobs(?:\/[0-9a-f-]{36}(?:\.jsonl|\.result\.zip))?|cache.*))?$/;
const MEDIUM = /^data\/(?:replaced-[^/]+\/)?media\/[0-9a-f]{32}\.[a-z0-9]+$/;

/** All faults in what was found after a crash. */
export function judge(scenario: Scenario, moment: Moment): Fault[] {
  return [
    ...judgeStart(moment),
    ...scenario.judgeSite(moment),
    ...judgeCopies(moment),
    ...judgeTree(scenario, moment.outcome.first, false),
    ...judgeAgain(scenario, moment),
  ];
}

function judgeCopies(moment: Moment): Fault[] {
  const faults: Fault[] = [];
  for (const [name, found] of Object.entries(moment.outcome.copies)) {
    if (found === null) {
      if (isAcknowledged(moment)) faults.push({ kind: "acknowledged lost", detail: name });
    } else if (typeof found === "string" || !sameSite(found, moment.after.copies[name])) {
      faults.push({ kind: "half a change", detail: name });
    } else {
      faults.push(...judgeFiles(moment.after.copies[name], found));
    }
  }
  return faults;
}

/** A backup of the store alone has no files. */
function judgeFiles(wanted: Facts | string | null | undefined, found: Facts): Fault[] {
  const lost = typeof wanted === "object" ? (wanted?.lost ?? []) : [];
  const more = found.lost.filter((id) => !lost.includes(id));
  return more.map((detail) => ({ kind: "file lost", detail }));
}

function judgeAgain(scenario: Scenario, moment: Moment): Fault[] {
  const { again } = moment.outcome;
  if (again === null) return [];
  const goal = moment[scenario.again?.goal ?? "after"].first.facts;
  const leftovers = judgeTree(scenario, again, true).filter(({ kind }) => kind === "leftover");
  const isDone = again.code === 0 || scenario.again?.mayRefuse?.test(again.err) === true;
  if (isDone && again.fault === "" && sameSite(again.facts, goal)) return leftovers;
  const detail = again.err || again.fault || "the site is another one afterwards";
  return [...leftovers, { kind: "cannot be repeated", detail }];
}

/** Whether the process had reported that it was done; commands do so on standard output. */
export function isAcknowledged({ said }: Moment): boolean {
  return said.some(({ path }) => path === "stdout");
}

function sameSite(one: unknown, other: unknown): boolean {
  return hashIn(one) === hashIn(other);
}

/** The site must be as before or as after the command; as after it if that was acknowledged. */
export function beforeOrAfter(moment: Moment): Fault[] {
  const { outcome, before, after } = moment;
  const found = outcome.first.facts;
  if (sameSite(found, after.first.facts)) return [];
  if (isAcknowledged(moment)) return [{ kind: "acknowledged lost", detail: shortly(found) }];
  return sameSite(found, before.first.facts)
    ? []
    : [{ kind: "half a change", detail: shortly(found) }];
}

/** The site must not have changed at any time. */
export function unchanged({ outcome, before }: Moment): Fault[] {
  const found = outcome.first.facts;
  return sameSite(found, before.first.facts)
    ? []
    : [{ kind: "half a change", detail: shortly(found) }];
}

/**
 * Each item and each file must be as before or as after the command; all as after it if that was
 * acknowledged.
 */
export function eachBeforeOrAfter(moment: Moment): Fault[] {
  return isAcknowledged(moment) ? beforeOrAfter(moment) : eachIsKnown(moment);
}

/** Like {@link eachBeforeOrAfter}, for a command that acknowledges each file by printing its name. */
export function eachNamed(moment: Moment): Fault[] {
  const told = moment.said.map(({ bytes }) => bytes.toString()).join("");
  const named = [...told.matchAll(/\/media\/([0-9a-f]{32})/g)].map(([, id = ""]) => id);
  const lost = named.filter((id) => !moment.outcome.first.facts?.media.includes(id));
  const faults = lost.map((detail) => ({ kind: "acknowledged lost", detail }) as const);
  return [...faults, ...eachIsKnown(moment)];
}

function eachIsKnown({ outcome, before, after }: Moment): Fault[] {
  const found = outcome.first.facts;
  if (found === null)
    return before.first.facts === null ? [] : [{ kind: "half a change", detail: "no store" }];
  const known = [before.first.facts, after.first.facts];
  const strange = Object.entries(found.items).filter(
    ([path, { hash, revision }]) =>
      !known.some((facts) => facts?.items[path]?.hash === hash) &&
      // A new place first gets the pages of a new site, which the import then replaces.
      !(before.first.facts === null && revision === 1),
  );
  const gone = Object.keys(before.first.facts?.items ?? {}).filter(
    (path) => !(path in found.items),
  );
  const unfiled = before.first.facts?.media.filter((id) => !found.media.includes(id)) ?? [];
  return [...strange.map(([path]) => path), ...gone, ...unfiled].map((detail) => ({
    kind: "half a change",
    detail,
  }));
}

function judgeStart(moment: Moment): Fault[] {
  const { first } = moment.outcome;
  const { before, after } = moment;
  const faults: Fault[] = [];
  // If there was no site, a start may refuse to create one.
  const mayRefuse = before.first.fault !== "" && !isAcknowledged(moment);
  if (first.fault !== "" && !mayRefuse)
    faults.push({ kind: "does not start", detail: first.fault });
  const wasSite = before.first.facts !== null || isAcknowledged(moment);
  const isStarter = wasSite && isEmpty(first.facts) && !isEmpty(after.first.facts);
  if (isStarter) faults.push({ kind: "empty site", detail: shortly(first.facts) });
  for (const id of first.facts?.lost ?? []) faults.push({ kind: "file lost", detail: id });
  return faults;
}

function isEmpty(facts: Facts | null): boolean {
  return facts !== null && (facts.items["/"]?.title ?? "New site") === "New site";
}

function judgeTree(scenario: Scenario, { tree, fault }: Started, isDone: boolean): Fault[] {
  const given = Object.keys(scenario.given).filter((name) => name !== "data");
  return (
    tree
      .filter(({ path }) => !given.some((name) => path === name || path.startsWith(`${name}/`)))
      // Leftovers outside the data folder are cleared by the next command of the same kind, not by a start.
      .filter(({ path }) => isDone || path.startsWith("data"))
      .flatMap((entry) => {
        const isOwn = OWN.test(entry.path) || scenario.expected?.test(entry.path) === true;
        // What a start that refuses leaves alone does not count as a leftover yet.
        const isLeft = !isOwn && (isDone || fault === "");
        return [
          ...(isLeft ? [{ kind: "leftover", detail: entry.path } as const] : []),
          ...judgeEntry(entry),
        ];
      })
  );
}

function judgeEntry({ path, mode, sha256 }: TreeEntry): Fault[] {
  const faults: Fault[] = [];
  if ((mode & 0o077) !== 0)
    faults.push({ kind: "not private", detail: `${path} ${mode.toString(8)}` });
  if (sha256 !== null && MEDIUM.test(path) && !path.includes(sha256.slice(0, 32))) {
    faults.push({ kind: "file lost", detail: `${path} has other bytes` });
  }
  return faults;
}

/** What was written must be complete or absent. */
export function wholeOrAbsent(place: string): (moment: Moment) => Fault[] {
  const contents = ({ first: { tree } }: Outcome) =>
    JSON.stringify(tree.filter(({ path }) => path === place || path.startsWith(`${place}/`)));
  return (moment) => {
    const found = contents(moment.outcome);
    const faults = unchanged(moment);
    if (found === contents(moment.after)) return faults;
    if (found !== "[]") return [...faults, { kind: "half a change", detail: place }];
    if (isAcknowledged(moment)) return [...faults, { kind: "acknowledged lost", detail: place }];
    return faults;
  };
}

function hashIn(found: unknown): string {
  if (typeof found === "string") return found;
  if (typeof found === "object" && found !== null && "all" in found) return String(found.all);
  return "";
}

function shortly(facts: Facts | null): string {
  if (facts === null) return "no store";
  return `${Object.keys(facts.items).length} items, ${facts.media.length} files, ${facts.items["/"]?.title ?? "no home page"}`;
}
