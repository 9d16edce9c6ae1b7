import { readFileSync } from "node:fs";

/** Operations that `file-steps.c` records. */
export const OPS = [
  "create",
  "truncate",
  "write",
  "sync",
  "syncfolder",
  "rename",
  "unlink",
  "link",
  "mkdir",
  "rmdir",
  "chmod",
  /** Bytes sent to the watched port. */
  "send",
  /** A step that failed and changed nothing. */
  "none",
  /** Not a step: the process reported something. */
  "said",
  /** Not a step: the process was ended before the step in `other`. */
  "end",
] as const;

export interface Step {
  op: (typeof OPS)[number];
  inode: number;
  mode: number;
  offset: number;
  path: string;
  /** The target of a rename or link. */
  other: string;
  bytes: Buffer;
}

const LINE_END = 10;

/** The steps of one process in order. */
export function readRecord(file: string): Step[] {
  const record = readFileSync(file);
  const steps: Step[] = [];
  for (let at = 0; at < record.length; ) {
    const end = record.indexOf(LINE_END, at);
    const [op, inode, mode, offset, length, path = "", other = ""] = record
      .toString("utf8", at, end)
      .split("\t");
    const known = OPS.find((name) => name === op);
    if (end < 0 || known === undefined) throw new Error(`${file} is damaged at byte ${at}`);
    at = end + 1 + Number(length);
    steps.push({
      op: known,
      inode: Number(inode),
      mode: Number(mode),
      offset: Number(offset),
      path,
      other,
      bytes: record.subarray(end + 1, at),
    });
  }
  return steps;
}

/** Whether the process could be ended before this step. */
export function isStep({ op }: Step): boolean {
  return op !== "said" && op !== "end";
}

/** Kind and place of a step, which are the same in every run. */
export function placeOf({ op, path, other }: Step, folder: string): string {
  return [op, path, other]
    .map((name) => nameOf(name.replace(folder, "").replace(/^\//, "")))
    .join(" ")
    .trim();
}

/** A text without the parts that differ between runs. */
export function nameOf(text: string): string {
  return text
    .replaceAll(/socket:\[\d+\]/g, "socket")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, "UUID")
    .replaceAll(/[0-9a-f]{32}/g, "HASH")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d-]+Z/g, "TIME")
    .replaceAll(/-\d{3,}\b/g, "-PID");
}
